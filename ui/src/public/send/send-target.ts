import { getLink, getReceipt, withdrawFromLink } from '../../../../src/api/shares/public.ts'
import type { Receipt } from '../../../../src/domain/shares/share-terms.ts'
import { ApiError, isUnreachable, noConnection } from '../../api/api-error.ts'
import type { Client } from '../../api/client.ts'
import { withRetries } from '../../files/uploads/engine/with-retries.ts'
import type { SendMemory } from './send-memory.ts'

/** A link that takes files, as the browser sees it. */
export interface SendTarget {
  readonly client: Client
  readonly hash: string
  readonly token: string | undefined
  /** Bytes of a part. */
  readonly chunkSize: number
  readonly retryCount: number
  readonly memory: SendMemory
}

/** @param address of a file, with its origin */
export function idOf(address: string): string {
  return new URL(address).pathname.split('/').at(-1) ?? ''
}

export function queryOf({ token }: Pick<SendTarget, 'token'>): { token?: string } {
  return token === undefined ? {} : { token }
}

/** True if the server responds, even with an error. @throws the reason of the signal */
export async function isLinkReachable(target: SendTarget, signal: AbortSignal): Promise<boolean> {
  const { client, hash } = target
  try {
    await client.call(getLink, { params: { '*': hash }, query: queryOf(target), signal })
    return true
  } catch (error) {
    signal.throwIfAborted()
    return !isUnreachable(error)
  }
}

/** What proves that a file has arrived. @throws ApiError */
export async function fetchReceipt(target: SendTarget, id: string, signal?: AbortSignal): Promise<Receipt> {
  const { client, hash } = target
  return await client.call(getReceipt, { params: { '*': `${hash}/${id}` }, query: queryOf(target), signal })
}

/** Cancels a file that has not arrived, or removes one that has. @throws ApiError */
export async function withdraw(target: SendTarget, id: string): Promise<void> {
  const { client, hash } = target
  await client.call(withdrawFromLink, { params: { '*': `${hash}/${id}` }, query: queryOf(target) })
}

/** Milliseconds before each retry: after a part was cut off, the server keeps the file locked for a moment. */
const CANCEL_AGAIN_AFTER = [500, 2000]

/** Cancels a file that has not arrived. If that fails, the server does it after a day. */
export async function discard(target: SendTarget, id: string): Promise<void> {
  const signal = new AbortController().signal
  const work = async () => await withdraw(target, id)
  try {
    await withRetries(work, { delays: CANCEL_AGAIN_AFTER, signal, hasProgressed: () => false })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
  }
}

/** How many bytes of an unfinished upload have arrived; undefined if the server no longer has it. @throws ApiError */
export async function fetchArrivedBytes(address: string): Promise<number | undefined> {
  const answer = await fetch(address, { method: 'HEAD', cache: 'no-store' }).catch(noConnection)
  if (answer.status === 404 || answer.status === 410) return undefined
  if (!answer.ok) throw await ApiError.from(answer)
  return Number(answer.headers.get('Upload-Offset') ?? 0)
}
