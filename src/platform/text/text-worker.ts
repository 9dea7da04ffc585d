import type { Encoding } from '../../domain/text/encodings.ts'
import { encodingSample } from '../../domain/text/proven-encoding.ts'
import { decodeLoosely, firstValid } from '../../domain/text/text-codec.ts'
import { serveTasks } from '../workers/task-host.ts'
import { likelyEncodings } from './detect-encoding.ts'

export type TextTask =
  | { readonly kind: 'likely'; readonly sample: Uint8Array }
  /** Without an encoding, it is detected. */
  | { readonly kind: 'read'; readonly bytes: Uint8Array; readonly encoding: Encoding | undefined }

export interface ReadText {
  readonly text: string
  readonly encoding: Encoding
}

serveTasks(async (task: TextTask) => ({
  result: task.kind === 'likely' ? await likelyEncodings(task.sample, 'content') : await read(task),
  transfer: [],
}))

async function read({ bytes, encoding }: TextTask & { readonly kind: 'read' }): Promise<ReadText> {
  const found = encoding ?? firstValid(await likelyEncodings(encodingSample(bytes), 'content'), bytes)
  return { text: decodeLoosely(bytes, found), encoding: found }
}
