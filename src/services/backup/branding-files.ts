import { buffer } from 'node:stream/consumers'
import { OPERATOR } from '../../domain/actor.ts'
import type { Branding } from '../branding.ts'

/** Styles and pictures with their content, one after the other. */
export async function* brandingFiles({ list, open }: Pick<Branding, 'list' | 'open'>) {
  for (const { name } of await list(OPERATOR)) {
    await using found = await open(name)
    // Removed meanwhile, or too large to be served.
    if (found === undefined || found.file.size === 0) continue
    yield { name, bytes: await buffer(found.file.stream(0, found.file.size - 1)) }
  }
}
