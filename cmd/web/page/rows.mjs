// Keeps rows in the browser's database. Its transactions follow each other, also those of several tabs, so that the comparison of versions
// and the write are one step.

const format = 1; // of the database; rows have been the same since the first

const promised = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

export async function openRows(changed) {
  let db;
  try {
    const request = indexedDB.open("tictactoe", format);
    request.onupgradeneeded = () => { if (!request.result.objectStoreNames.contains("rows")) request.result.createObjectStore("rows"); };
    db = await promised(request);
  } catch { // private windows of some browsers have no database
    return memoryRows(changed);
  }
  db.onversionchange = () => db.close();
  const range = (prefix) => IDBKeyRange.bound(prefix, prefix + "\uffff");
  return {
    keeps: true,
    async all(prefix) {
      const store = db.transaction("rows").objectStore("rows");
      const [keys, values] = await Promise.all([promised(store.getAllKeys(range(prefix))), promised(store.getAll(range(prefix)))]);
      return Object.fromEntries(keys.map((key, i) => [key, values[i]]));
    },
    put: (changes) => new Promise((resolve, reject) => {
      const transaction = db.transaction("rows", "readwrite", { durability: "strict" }), store = transaction.objectStore("rows");
      let conflict = false;
      transaction.oncomplete = () => { changed(); resolve("saved"); };
      transaction.onabort = () => {
        if (conflict) resolve("conflict");
        else if (transaction.error?.name === "QuotaExceededError") resolve("full");
        else reject(transaction.error);
      };
      for (const { key, from, to } of changes) {
        const had = store.get(key);
        had.onsuccess = () => {
          if (Number(had.result?.version ?? 0) !== from) {
            if (!conflict) { conflict = true; transaction.abort(); }
          } else if (to) store.put(to, key);
          else store.delete(key);
        };
      }
    }),
    async erase() {
      await promised(db.transaction("rows", "readwrite").objectStore("rows").clear());
      changed();
    },
  };
}

export function memoryRows(changed) {
  const rows = new Map();
  return {
    keeps: false,
    all: async (prefix) => Object.fromEntries([...rows].filter(([key]) => key.startsWith(prefix))),
    async put(changes) {
      if (changes.some(({ key, from }) => Number(rows.get(key)?.version ?? 0) !== from)) return "conflict";
      for (const { key, to } of changes) if (to) rows.set(key, to); else rows.delete(key);
      changed();
      return "saved";
    },
    erase: async () => rows.clear(),
  };
}
