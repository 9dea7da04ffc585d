import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { Option } from 'commander'
import { OPERATOR } from '../../../domain/accounts/actor.ts'
import { fail } from '../../../domain/errors.ts'
import { brandingPathOf, type BrandingFile } from '../../../domain/settings/branding.ts'
import { command, type CommandGroup, restOf, type Terminal, wordOf } from '../../program/command.ts'
import { unreadable } from '../../terminal/named-files.ts'
import { openContext } from '../../open-context.ts'
import { confirmOrFail } from '../../terminal/prompts.ts'
import type { Answer, Output } from '../../terminal/output.ts'
import { drawTable } from '../../terminal/table.ts'

const list = command({
  name: 'ls',
  summary: 'List custom styles and images',
  operations: ['branding.list'],
  reads: true,
  examples: [['branding ls', 'each is served below /static/']],
  async run(invocation) {
    await using context = await openContext(invocation)
    await invocation.output.answer(filesAnswer(await context.services.branding.list(OPERATOR), invocation.output))
  },
})

const add = command({
  name: 'add <files...>',
  summary: 'Add or replace custom.css and images',
  operations: ['branding.upload'],
  examples: [['branding add custom.css logo.svg', 'img/logo.svg is the logo of the page']],
  async run(invocation) {
    await using context = await openContext(invocation)
    const { branding } = context.services
    const files = restOf(invocation)
    for (const file of files) await requireFile(file, invocation.terminal)
    for (const file of files) brandingPathOf(basename(file))
    for (const file of files) await branding.put(OPERATOR, basename(file), contentOf(file, invocation.terminal))
    await invocation.output.answer(filesAnswer(await branding.list(OPERATOR), invocation.output))
  },
})

const remove = command({
  name: 'rm <name>',
  summary: 'Remove custom.css or an image',
  operations: ['branding.remove'],
  options: [new Option('-y, --yes', 'do not ask')],
  examples: [['branding rm img/logo.svg --yes', 'the page shows its own logo again']],
  async run(invocation) {
    await using context = await openContext(invocation)
    const name = wordOf(invocation)
    const { branding } = context.services
    if (!(await branding.list(OPERATOR)).some((file) => file.name === name))
      fail('NOT_FOUND', `there is no branding file "${name}"; see "filemgr branding ls"`)
    await confirmOrFail(invocation, `Remove ${name}?`)
    await branding.remove(OPERATOR, name)
    await invocation.output.answer({ json: { name }, ids: [name], text: `${name} has been removed` })
  },
})

function filesAnswer(files: readonly BrandingFile[], output: Output): Answer {
  const rows = files.map(({ name, size, modified }) => [name, String(size), modified])
  const text = () => drawTable(['NAME', 'BYTES', 'MODIFIED'], rows, output, ['MODIFIED'])
  return { json: files, ids: files.map(({ name }) => name), text }
}

/** @throws NOT_FOUND, INVALID_INPUT for a folder */
async function requireFile(file: string, { cwd }: Terminal): Promise<void> {
  const found = await stat(resolve(cwd(), file)).catch((error: unknown) => unreadable(file, error))
  if (found.isDirectory()) fail('INVALID_INPUT', `${file} is a folder; name its files`, { field: 'files' })
}

async function* contentOf(file: string, { cwd }: Terminal): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(resolve(cwd(), file)) as AsyncIterable<Uint8Array>
  } catch (error) {
    unreadable(file, error)
  }
}

export const branding: CommandGroup = { commands: [list, add, remove] }
