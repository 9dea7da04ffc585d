const MILLISECONDS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const
type Unit = keyof typeof MILLISECONDS

const WHOLE = /^(?:\d+(?:\.\d+)?(?:ms|[smhdw]))+$/
const PART = /(\d+(?:\.\d+)?)(ms|[smhdw])/g

/** Milliseconds of a text such as "2h30m", "90s" or "7d"; "0" is none. `undefined` when it is no duration. */
export function parseDuration(text: string): number | undefined {
  const compact = text.trim().toLowerCase()
  if (compact === '0') return 0
  if (!WHOLE.test(compact)) return undefined
  let total = 0
  for (const [, amount, unit] of compact.matchAll(PART)) total += Number(amount) * MILLISECONDS[unit as Unit]
  const rounded = Math.round(total)
  return Number.isSafeInteger(rounded) ? rounded : undefined
}
