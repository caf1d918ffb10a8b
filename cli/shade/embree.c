/* embree.c - what a ray meets: Embree's trees over round curves and triangles. */
#include "shade/shade.h"

#ifdef WITHY_HAVE_LIB_EMBREE
#include <embree3/rtcore.h>
#include <string.h>

enum { SOLID = 1, CLEAR = 2 }; /* masks */

struct shade_rays {
    RTCDevice device;
    RTCScene scene;
};

int shade_is_built(void) {
    return 1;
}

shade_rays *shade_rays_open(void) {
    shade_rays *rays = calloc(1, sizeof *rays);
    if (rays) rays->device = rtcNewDevice("threads=1,set_affinity=0");
    if (rays && rays->device) return rays;
    free(rays);
    return NULL;
}

void shade_rays_close(shade_rays *rays) {
    if (!rays) return;
    if (rays->scene) rtcReleaseScene(rays->scene);
    rtcReleaseDevice(rays->device);
    free(rays);
}

int shade_rays_begin(shade_rays *rays) {
    if (rays->scene) rtcReleaseScene(rays->scene);
    rays->scene = rtcNewScene(rays->device);
    return rays->scene != NULL;
}

static void *buffer(RTCGeometry of, enum RTCBufferType type, enum RTCFormat format, size_t stride,
                    int count) {
    return rtcSetNewGeometryBuffer(of, type, 0, format, stride, (size_t)count);
}

static void add(shade_rays *rays, RTCGeometry geometry, unsigned mask) {
    rtcSetGeometryMask(geometry, mask);
    rtcCommitGeometry(geometry);
    rtcAttachGeometry(rays->scene, geometry);
    rtcReleaseGeometry(geometry);
}

int shade_rays_curve(shade_rays *rays, const shade_point *point, int count) {
    RTCGeometry geometry = rtcNewGeometry(rays->device, RTC_GEOMETRY_TYPE_ROUND_LINEAR_CURVE);
    if (!geometry) return 0;
    shade_point *to =
        buffer(geometry, RTC_BUFFER_TYPE_VERTEX, RTC_FORMAT_FLOAT4, sizeof *to, count);
    unsigned *index =
        buffer(geometry, RTC_BUFFER_TYPE_INDEX, RTC_FORMAT_UINT, sizeof *index, count - 1);
    unsigned char *flag =
        buffer(geometry, RTC_BUFFER_TYPE_FLAGS, RTC_FORMAT_UCHAR, sizeof *flag, count - 1);
    const int ok = to && index && flag;
    for (int i = 0; ok && i < count - 1; i++) {
        index[i] = (unsigned)i;
        flag[i] = (unsigned char)((i > 0 ? RTC_CURVE_FLAG_NEIGHBOR_LEFT : 0) |
                                  (i < count - 2 ? RTC_CURVE_FLAG_NEIGHBOR_RIGHT : 0));
    }
    if (ok) memcpy(to, point, (size_t)count * sizeof *to);
    add(rays, geometry, SOLID);
    return ok;
}

int shade_rays_mesh(shade_rays *rays, const shade_mesh *mesh, int clear) {
    RTCGeometry geometry = rtcNewGeometry(rays->device, RTC_GEOMETRY_TYPE_TRIANGLE);
    if (!geometry) return 0;
    rtcSetGeometryVertexAttributeCount(geometry, 1);
    float(*to)[3] =
        buffer(geometry, RTC_BUFFER_TYPE_VERTEX, RTC_FORMAT_FLOAT3, sizeof *to, mesh->vertices);
    float(*normal)[3] = buffer(geometry, RTC_BUFFER_TYPE_VERTEX_ATTRIBUTE, RTC_FORMAT_FLOAT3,
                               sizeof *normal, mesh->vertices);
    unsigned(*index)[3] =
        buffer(geometry, RTC_BUFFER_TYPE_INDEX, RTC_FORMAT_UINT3, sizeof *index, mesh->triangles);
    const int ok = to && normal && index;
    if (ok) {
        memcpy(to, mesh->vertex, (size_t)mesh->vertices * sizeof *to);
        memcpy(normal, mesh->normal, (size_t)mesh->vertices * sizeof *normal);
        memcpy(index, mesh->triangle, (size_t)mesh->triangles * sizeof *index);
    }
    rtcSetGeometryUserData(geometry, rays); /* any pointer: it has normals */
    add(rays, geometry, clear ? CLEAR : SOLID);
    return ok;
}

int shade_rays_end(shade_rays *rays) {
    rtcCommitScene(rays->scene);
    return rtcGetDeviceError(rays->device) == RTC_ERROR_NONE;
}

static struct RTCRay ray_of(shade_vec from, shade_vec along, double least, double most) {
    return (struct RTCRay){.org_x = (float)from.x,
                           .org_y = (float)from.y,
                           .org_z = (float)from.z,
                           .tnear = (float)least,
                           .dir_x = (float)along.x,
                           .dir_y = (float)along.y,
                           .dir_z = (float)along.z,
                           .tfar = (float)most,
                           .mask = SOLID | CLEAR};
}

/* A curve gives its normal, a mesh that of its corners. */
static shade_vec normal_of(const shade_rays *rays, const struct RTCHit *hit) {
    float n[3] = {hit->Ng_x, hit->Ng_y, hit->Ng_z}, smooth[3];
    RTCGeometry geometry = rtcGetGeometry(rays->scene, hit->geomID);
    if (rtcGetGeometryUserData(geometry)) {
        rtcInterpolate0(geometry, hit->primID, hit->u, hit->v, RTC_BUFFER_TYPE_VERTEX_ATTRIBUTE, 0,
                        smooth, 3);
        memcpy(n, smooth, sizeof n);
    }
    return (shade_vec){n[0], n[1], n[2]};
}

void shade_rays_shoot(const shade_rays *rays, shade_vec from, shade_vec along, double least,
                      shade_hit *hit) {
    struct RTCRayHit of = {.ray = ray_of(from, along, least, 1e30)};
    struct RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    of.hit.geomID = RTC_INVALID_GEOMETRY_ID;
    rtcIntersect1(rays->scene, &context, &of);
    *hit = (shade_hit){.far = (double)of.ray.tfar, .thing = -1};
    if (of.hit.geomID == RTC_INVALID_GEOMETRY_ID) return;
    hit->thing = (int)of.hit.geomID;
    hit->normal = normal_of(rays, &of.hit);
}

int shade_rays_blocked(const shade_rays *rays, shade_vec from, shade_vec along, double most) {
    struct RTCRay ray = ray_of(from, along, 0, most);
    struct RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    ray.mask = SOLID;
    rtcOccluded1(rays->scene, &context, &ray);
    return ray.tfar < 0;
}

#else

int shade_is_built(void) {
    return 0;
}
shade_rays *shade_rays_open(void) {
    return NULL;
}
void shade_rays_close(shade_rays *rays) {
    (void)rays;
}
int shade_rays_begin(shade_rays *rays) {
    return (void)rays, 0;
}
int shade_rays_curve(shade_rays *rays, const shade_point *point, int count) {
    return (void)rays, (void)point, (void)count, 0;
}
int shade_rays_mesh(shade_rays *rays, const shade_mesh *mesh, int clear) {
    return (void)rays, (void)mesh, (void)clear, 0;
}
int shade_rays_end(shade_rays *rays) {
    return (void)rays, 0;
}
void shade_rays_shoot(const shade_rays *rays, shade_vec from, shade_vec along, double least,
                      shade_hit *hit) {
    (void)rays, (void)from, (void)along, (void)least;
    *hit = (shade_hit){.thing = -1};
}
int shade_rays_blocked(const shade_rays *rays, shade_vec from, shade_vec along, double most) {
    return (void)rays, (void)from, (void)along, (void)most, 0;
}
#endif
