const MARK = 'filemgr:uploads'

/** Whether a page of this browser has kept uploads, so that their code is fetched only when there may be some. */
export function hasKeptUploads(): boolean {
  try {
    return localStorage.getItem(MARK) !== null
  } catch {
    return false
  }
}

export function markKeptUploads(any: boolean): void {
  try {
    if (any) localStorage.setItem(MARK, '')
    else localStorage.removeItem(MARK)
  } catch {
    return
  }
}
