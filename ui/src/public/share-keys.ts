/** What opens links with a password, for as long as the tab is open: never the password itself. */
export interface ShareKeys {
  recall(hash: string): string | undefined
  keep(hash: string, token: string): void
  forget(hash: string): void
}

export function createShareKeys(storage: Storage, baseUrl: string): ShareKeys {
  const keyOf = (hash: string) => `filemgr:share:${baseUrl}:${hash}`
  return {
    recall: (hash) => storage.getItem(keyOf(hash)) ?? undefined,
    keep: (hash, token) => storage.setItem(keyOf(hash), token),
    forget: (hash) => storage.removeItem(keyOf(hash)),
  }
}
