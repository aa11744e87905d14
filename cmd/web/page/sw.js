// Keeps the page for when there is no network: the page itself from the network first, its files, whose names change with each version,
// from the cache first.
const version = "{{version}}", cache = "tictactoe-" + version, files = {{cached}};

addEventListener("install", (e) => e.waitUntil((async () => {
  const c = await caches.open(cache);
  await c.addAll(files);
})()));

addEventListener("activate", (e) => e.waitUntil((async () => {
  for (const name of await caches.keys()) if (name.startsWith("tictactoe-") && name !== cache) await caches.delete(name);
  await clients.claim();
})()));

addEventListener("message", (e) => { if (e.data === "take over") skipWaiting(); });

addEventListener("fetch", (e) => {
  const url = new URL(e.request.url);
  if (e.request.method !== "GET" || url.origin !== location.origin) return;
  e.respondWith(e.request.mode === "navigate" ? fresh(e.request) : stored(e.request));
});

async function fresh(request) {
  const c = await caches.open(cache);
  try {
    const response = await fetch(request);
    return response;
  } catch {
    return (await c.match("./", { ignoreSearch: true })) ?? Response.error();
  }
}

async function stored(request) {
  const c = await caches.open(cache), had = await c.match(request, { ignoreSearch: true });
  if (had) return had;
  const response = await fetch(request);
  if (response.ok && request.url.includes("/texts/")) await c.put(request, response.clone());
  return response;
}
