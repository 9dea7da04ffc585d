import { createHash } from 'node:crypto'

export interface Asked {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array<ArrayBuffer>
}

/** An answer without what differs between any two servers: times, ids, secrets. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

/** Answers by request, in the order of the requests. */
export type Transcript = Map<string, Answer>

export interface Client {
  /** Asks, and keeps the answer. @returns the body as it came */
  ask(path: string, asked?: Asked): Promise<string>
  /** The same client with these headers on each request, and a name for it. */
  as(who: string, headers: Readonly<Record<string, string>>): Client
  /** A value that the server has chosen, which is shown by this name. @returns the value */
  called(name: string, value: unknown): string
}

export interface ClientOptions {
  /** Where the answers are kept. */
  readonly transcript: Transcript
  /** Whether the answer to a request is the one that counts, or should be asked for again. */
  readonly isFinal?: (request: string, method: string, answer: Answer) => Promise<boolean>
}

/** @param base URL of the server, with a slash at its end */
export function createClient(base: string, { transcript, isFinal }: ClientOptions): Client {
  const names = new Map<string, string>([[new URL(base).host, '<host>']])
  const masked = (text: string) => {
    for (const [value, name] of names) text = text.replaceAll(value, name)
    return text
  }
  const clientOf = (who: string, always: Readonly<Record<string, string>>): Client => ({
    async ask(path, { method = 'GET', headers = {}, body } = {}) {
      const extras = Object.entries(headers).map(([name, value]) => ` ${name}: ${value}`)
      const title = masked(`${who}: ${method} ${path}${extras.join('')}`)
      const count = [...transcript.keys()].filter((key) => key === title || key.startsWith(`${title} (`)).length
      const request = count === 0 ? title : `${title} (${count + 1})`
      for (;;) {
        const init = { method, headers: { ...always, ...headers }, redirect: 'manual' as const }
        const reply = await fetch(new URL(path, base), { ...init, ...(body !== undefined && { body }) })
        const bytes = Buffer.from(await reply.arrayBuffer())
        const answer = shown(reply, bytes, masked)
        if (isFinal !== undefined && !(await isFinal(request, method, answer))) continue
        transcript.set(request, answer)
        return bytes.toString()
      }
    },
    as: (name, more) => clientOf(name, { ...always, ...more }),
    called(name, value) {
      const text = String(value)
      if (text.length > 3) names.set(text, `<${name}>`)
      return text
    },
  })
  return clientOf('nobody', {})
}

/** What a proxy has of its own. */
const OF_CONNECTION = ['connection', 'date', 'keep-alive', 'server', 'transfer-encoding']
/** What tells versions of a file apart, or times; only that it is there is compared. */
const CHOSEN = ['etag', 'last-modified', 'upload-expires', 'x-renew-token']
/** What every server chooses anew: times, signatures, and what separates parts or allows a script. */
const CHOSEN_TEXT = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z|eyJ[\w.-]{40,}|nonce(-|=")[\w+/=]+|[0-9a-f]{60}/g
const ID = /^[\w-]{16,}$/
export const ARCHIVE = 'an archive'

function shown({ status, headers }: Response, bytes: Buffer, masked: (text: string) => string): Answer {
  const type = headers.get('content-type') ?? ''
  const isJson = type.startsWith('application/json')
  // The digits of times vary.
  const dropped = [...OF_CONNECTION, ...(isJson ? ['content-length'] : [])]
  const kept = [...headers].filter(([name]) => !dropped.includes(name))
  return {
    status,
    headers: Object.fromEntries(
      kept.map(([name, value]) => [name, CHOSEN.includes(name) ? '<chosen>' : withoutChosen(masked(value))]),
    ),
    body: isJson ? withoutChosenValues(JSON.parse(masked(bytes.toString()))) : textOf(headers, bytes, masked),
  }
}

function textOf(headers: Headers, bytes: Buffer, masked: (text: string) => string): string {
  // With the times of its files.
  if (/\.(zip|tar(\.\w+)?)"?$/.test(headers.get('content-disposition') ?? '') && bytes.length !== 0) return ARCHIVE
  if (bytes.length < 5000) return withoutChosen(masked(bytes.toString('latin1')))
  return createHash('sha256').update(bytes).digest('hex')
}

const withoutChosen = (text: string) => text.replaceAll(CHOSEN_TEXT, '<chosen>')

/** The least time in seconds or milliseconds. */
const TIME = 10 ** 9

function withoutChosenValues(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutChosenValues)
  if (typeof value === 'object' && value !== null) {
    const { isDir, size, mode: _mode, ...rest } = value as Record<string, unknown>
    // Permissions, and the sizes of folders, are up to a file system.
    const kept = { ...rest, ...(isDir === true ? { isDir } : { isDir, size }) }
    return Object.fromEntries(Object.entries(kept).map(([key, each]) => [key, withoutChosenValues(each)]))
  }
  if (typeof value === 'string') return withoutChosen(value).replace(ID, '<id>')
  return typeof value === 'number' && value > TIME ? '<time>' : value
}
