/* withy/compare.h - */
#pragma once
