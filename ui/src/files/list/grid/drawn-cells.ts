/** The row or tile of an entry, if it is drawn. */
export function cellOf(within: Element | null, name: string): HTMLElement | null {
  return within?.querySelector<HTMLElement>(`[data-entry="${CSS.escape(name)}"]`) ?? null
}

/** The one that Tab reaches. */
export function tabStopIn(within: Element | null): HTMLElement | null {
  return within?.querySelector<HTMLElement>('[data-entry][tabindex="0"]') ?? null
}
