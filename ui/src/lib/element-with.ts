/** The element with this value of an attribute. No selector matches lone surrogates, which stand for bytes in names. */
export function elementWith(within: Element | null, attribute: string, value: string): HTMLElement | null {
  const elements = within?.querySelectorAll<HTMLElement>(`[${attribute}]`) ?? []
  return [...elements].find((element) => element.getAttribute(attribute) === value) ?? null
}
