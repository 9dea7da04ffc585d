const PATIENCE = 10_000
const LONGEST = 256 * 1024

export interface Reply {
  readonly status: number
  readonly headers: Headers
  /** The first part of it. */
  readonly body: string
}

/** Asks an address, and gives up after ten seconds. What went wrong, where nothing came back. */
export async function ask(url: string, init: RequestInit = {}): Promise<Reply | string> {
  try {
    const answer = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(PATIENCE), ...init })
    const { status, headers } = answer
    const parts: Uint8Array[] = []
    let length = 0
    for await (const part of (answer.body ?? []) as AsyncIterable<Uint8Array>) {
      parts.push(part)
      length += part.length
      if (length > LONGEST) break
    }
    return { status, headers, body: Buffer.concat(parts).toString('utf8') }
  } catch (error) {
    return reasonOf(error)
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : undefined
  return code ?? (error.name === 'TimeoutError' ? 'no answer within ten seconds' : error.message)
}
