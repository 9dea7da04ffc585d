const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const
const PATTERN = /^\s*(\d+(?:\.\d+)?)\s*(?:([kmgt])?(?:i?b)?)\s*$/i

/** The bytes of a text such as "20MiB", "20MB", "1.5 g" or "4096", in units of 1024. Undefined if it is not a size. */
export function parseByteSize(text: string): number | undefined {
  const match = PATTERN.exec(text)
  if (match === null) return undefined
  const power = match[2] === undefined ? 0 : 'kmgt'.indexOf(match[2].toLowerCase()) + 1
  const bytes = Math.round(Number(match[1]) * 1024 ** power)
  return Number.isSafeInteger(bytes) ? bytes : undefined
}

/** The shortest text that parses back to the same number: "20MiB", "1536KiB", "1000B". */
export function formatByteSize(bytes: number): string {
  let power = 0
  while (power < UNITS.length - 1 && bytes !== 0 && bytes % 1024 ** (power + 1) === 0) power += 1
  return `${bytes / 1024 ** power}${UNITS[power] ?? 'B'}`
}

/** A size for people: "20 MiB", "1.5 GiB". Rounded down, so that nobody is promised more than there is. */
export function roughSize(bytes: number): string {
  let power = 0
  while (power < UNITS.length - 1 && bytes >= 1024 ** (power + 1)) power += 1
  return `${Math.floor((bytes / 1024 ** power) * 10) / 10} ${UNITS[power] ?? 'B'}`
}

const MILLISECONDS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const
type Unit = keyof typeof MILLISECONDS

const WHOLE = /^(?:\d+(?:\.\d+)?(?:ms|[smhdw])\s*)+$/
const PART = /(\d+(?:\.\d+)?)(ms|[smhdw])/g

/** The milliseconds of a text such as "2h30m", "6d 23h", "90s" or "0". Undefined if it is not a duration. */
export function parseDuration(text: string): number | undefined {
  const compact = text.trim().toLowerCase()
  if (compact === '0') return 0
  if (!WHOLE.test(compact)) return undefined
  let total = 0
  for (const [, amount, unit] of compact.matchAll(PART)) total += Number(amount) * MILLISECONDS[unit as Unit]
  const rounded = Math.round(total)
  return Number.isSafeInteger(rounded) ? rounded : undefined
}

/** "1 link", "2 links". */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`
}

/** Reads 640, 0640 and 0o640 as the same mode, as usual on Unix. Undefined for anything else. */
export function parseMode(text: string): number | undefined {
  const digits = /^(?:0?o)?([0-7]{1,5})$/i.exec(text.trim())?.[1]
  return digits === undefined ? undefined : Number.parseInt(digits, 8)
}

/** Such as "0640" or "2750". */
export function formatMode(mode: number): string {
  return mode.toString(8).padStart(4, '0')
}
