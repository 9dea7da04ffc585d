import { printable } from '../../../domain/text/printable.ts'
import { Option } from 'commander'
import { fail } from '../../../domain/errors.ts'
import type { CompressRequest, ExtractRequest } from '../../../domain/files/archives/archives.ts'
import type { Job } from '../../../domain/automation/job.ts'
import { LEFT_OUT_TEXTS } from '../../../domain/files/left-out.ts'
import { counted } from '../../../domain/text/units.ts'
import { command, type Invocation, restOf, wordOf } from '../../program/command.ts'
import { isEncoding } from '../../../domain/text/encodings.ts'
import { nameEncoding } from './remote.ts'
import { remoteOf, remoteOptions, sendJson } from '../../server-client.ts'

const onConflict = () => [
  new Option('--overwrite', 'replace existing files, and merge folders'),
  new Option('--rename', 'use another name if one is taken'),
]

export const extract = command({
  name: 'extract <archive> <folder> [item...]',
  summary: 'Extract an archive on a server with an API token',
  options: [...remoteOptions(), ...onConflict(), nameEncoding()],
  examples: [
    ['extract /inbox/photos.zip /photos --url https://files.example.com --token-file ~/.filemgr-token', 'everything'],
    [
      'extract /inbox/photos.zip /photos 2026/a.jpg 2026/b.jpg --rename',
      'two files, with FILEMGR_URL and FILEMGR_TOKEN set',
    ],
    ['extract /inbox/old.zip /inbox --encoding shift_jis', 'if its names make no sense otherwise'],
  ],
  async run(invocation) {
    const [archive, destination] = [wordOf(invocation, 0), wordOf(invocation, 1)]
    const items = restOf(invocation).map((item) => (item.startsWith('/') ? item : `/${item}`))
    const { encoding } = invocation.values
    const request = {
      destination,
      ...(items.length > 0 && { items }),
      ...(isEncoding(encoding) && { encoding }),
      ...conflictIn(invocation),
    }
    await report(
      invocation,
      await sendJson<Job>(await remoteOf(invocation), 'extract', archive, request satisfies ExtractRequest),
    )
  },
})

export const compress = command({
  name: 'compress <archive> <folder> <name...>',
  summary: 'Put entries of a folder of a server into a new archive with an API token',
  options: [...remoteOptions(), ...onConflict()],
  examples: [
    [
      'compress /photos.zip /photos 2025 2026 --url https://files.example.com --token-file ~/.filemgr-token',
      'two folders',
    ],
    ['compress /backup/docs.tar.gz / docs --overwrite', 'smaller, with FILEMGR_URL and FILEMGR_TOKEN set'],
  ],
  async run(invocation) {
    const [destination, folder] = [wordOf(invocation, 0), wordOf(invocation, 1)]
    const request = { names: [...restOf(invocation)], destination, ...conflictIn(invocation) }
    await report(
      invocation,
      await sendJson<Job>(await remoteOf(invocation), 'compress', folder, request satisfies CompressRequest),
    )
  },
})

function conflictIn({ values }: Invocation): Pick<ExtractRequest, 'override' | 'rename'> {
  return {
    ...(values['overwrite'] === true && { override: true }),
    ...(values['rename'] === true && { rename: true }),
  }
}

/** @throws CONFLICT if something is missing in the result, like other commands that do part of what was asked */
async function report({ output }: Invocation, { made = [], leftOut }: Job): Promise<void> {
  await output.answer({ json: { made, leftOut }, ids: made, text: made.map((path) => printable(path)).join('\n') })
  for (const { name, reason, as } of leftOut)
    output.warning(
      as === undefined
        ? `"${printable(name)}" was left out: ${LEFT_OUT_TEXTS[reason]}`
        : `"${printable(name)}" is "${printable(as)}": ${LEFT_OUT_TEXTS[reason]}`,
    )
  const missing = leftOut.filter(({ as, reason }) => as === undefined && reason !== 'older').length
  if (missing > 0) fail('CONFLICT', `${counted(missing, 'entry was', 'entries were')} left out`)
}
