/* Asks the browser to keep the page for times without a network (service.ts). This begins a moment after the page
 * has loaded, so as not to slow it down. Where it is not possible, because of a setting or without a secure connection,
 * the page works as usual. */
import service from "./service?worker&url";

const MOMENT = 1000; // milliseconds

/* The service worker sees what is fetched from now on. If the study room was opened before, this tells it so. */
function tellOfStudy(): void {
  const used = performance.getEntriesByType("resource").find(({ name }) => name.includes("/assets/study/"));
  if (used) void fetch(used.name).catch(() => {});
}

export function keepForOffline(): void {
  if (!import.meta.env.PROD || !window.isSecureContext || !("serviceWorker" in navigator)) return;
  navigator.serviceWorker.addEventListener("controllerchange", tellOfStudy, { once: true });
  const register = () => void navigator.serviceWorker.register(service, { updateViaCache: "none" }).catch(() => {});
  const later = () => void setTimeout(register, MOMENT);
  if (document.readyState === "complete") later();
  else window.addEventListener("load", later, { once: true });
}
