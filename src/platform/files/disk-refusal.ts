import { setTimeout } from 'node:timers/promises'
import { accountName } from './accounts.ts'
import { missingRight } from './missing-right.ts'

/** The system call that failed. */
interface Call {
  /** Such as "mkdir". */
  readonly name: string
  readonly reads: boolean
}

/** The disk has refused something to the account of this process, or has failed. */
export class DiskRefusal extends Error {
  override readonly name = 'DiskRefusal'
  readonly code: string
  readonly call: Call
  readonly path: string

  /** @param code such as "EACCES" */
  constructor(code: string, call: Call, path: string, options?: ErrorOptions) {
    super(`${code}: ${call.name} ${path}`, options)
    this.code = code
    this.call = call
    this.path = path
  }
}

/** The refusal that has caused an error, if any. */
export function refusalIn(error: unknown): DiskRefusal | undefined {
  if (!(error instanceof Error)) return undefined
  return error instanceof DiskRefusal ? error : refusalIn(error.cause)
}

/** Says which right is missing where, for logs: "EACCES in mkdir: the account filemgr may not write to /srv/files". */
export async function describeRefusal(refusal: DiskRefusal): Promise<string> {
  const { code, call, path } = refusal
  if (!['EACCES', 'EPERM', 'EROFS'].includes(code)) return refusal.message
  const name = await accountName(process.geteuid?.() ?? 0)
  const late = `${code} in ${call.name} of ${path}, which the account ${name} may not do`
  // A disk that does not respond must not hold up the reply.
  return await Promise.race([
    explained(refusal, name).then((text) => text ?? late),
    setTimeout(1000, late, { ref: false }),
  ])
}

async function explained({ code, call, path }: DiskRefusal, name: string): Promise<string | undefined> {
  for (const need of call.reads ? (['read'] as const) : (['replace', 'read'] as const)) {
    const lack = await missingRight(path, need)
    if (lack !== undefined) return `${code} in ${call.name}: the account ${name} may not ${lack.right} ${lack.path}`
  }
  return undefined
}
