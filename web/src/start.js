// The only script that the policy of the page names: unpacks the program and starts it.
import { unzip } from "./unzip.js";

async function start() {
  const script = document.createElement("script");
  script.src = URL.createObjectURL(new Blob(await Promise.all(["three", "app"].map(unzip)), { type: "text/javascript" }));
  document.body.append(script);
}
start();
