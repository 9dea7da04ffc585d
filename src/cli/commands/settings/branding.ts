import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { Option } from 'commander'
import { listBranding, removeBranding } from '../../../api/settings/branding.ts'
import { uploadBrandingAsOperator } from '../../../api/settings/operator.ts'
import { fail } from '../../../domain/errors.ts'
import { brandingPathOf, type BrandingFile } from '../../../domain/settings/branding.ts'
import { command, type CommandGroup, type Invocation, restOf, type Terminal, wordOf } from '../../program/command.ts'
import { unreadable } from '../../program/named-files.ts'
import { openDoor } from '../../door/door.ts'
import { confirmOrFail } from '../../program/prompts.ts'
import type { Answer, Output } from '../../terminal/output.ts'
import { drawTable } from '../../terminal/table.ts'

const list = command({
  name: 'ls',
  summary: 'List custom styles and images',
  operations: ['branding.list'],
  examples: [['branding ls', 'each is served below /static/']],
  async run(invocation) {
    await using door = await openDoor(invocation)
    await invocation.output.answer(filesAnswer(await door.call(listBranding, {}), invocation.output))
  },
})

const add = command({
  name: 'add <files...>',
  summary: 'Add or replace custom.css and images',
  operations: ['branding.upload'],
  options: [new Option('--as <name>', 'name of the file here, also for standard input')],
  examples: [
    ['branding add custom.css logo.svg', 'img/logo.svg is the logo of the page'],
    ['branding add - --as custom.css < style.css', 'from standard input'],
  ],
  async run(invocation) {
    await using door = await openDoor(invocation)
    const files = namedFiles(invocation)
    for (const { file } of files) if (file !== '-') await requireFile(file, invocation.terminal)
    for (const { name } of files) brandingPathOf(name)
    for (const { file, name } of files)
      await door.call(uploadBrandingAsOperator, { params: { name }, body: contentOf(file, invocation.terminal) })
    await invocation.output.answer(filesAnswer(await door.call(listBranding, {}), invocation.output))
  },
})

const remove = command({
  name: 'rm <name>',
  summary: 'Remove custom.css or an image',
  operations: ['branding.remove'],
  options: [new Option('-y, --yes', 'do not ask')],
  examples: [['branding rm img/logo.svg --yes', 'the page shows its own logo again']],
  async run(invocation) {
    await using door = await openDoor(invocation)
    const name = wordOf(invocation)
    if (!(await door.call(listBranding, {})).some((file) => file.name === name))
      fail('NOT_FOUND', `there is no branding file "${name}"; see "filemgr branding ls"`)
    await confirmOrFail(invocation, `Remove ${name}?`)
    await door.call(removeBranding, { params: { name } })
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

/** The files with their names here. @throws INVALID_INPUT */
function namedFiles(invocation: Invocation): readonly { readonly file: string; readonly name: string }[] {
  const files = restOf(invocation)
  const given = invocation.values['as']
  if (typeof given !== 'string') {
    if (files.includes('-'))
      fail('INVALID_INPUT', 'standard input has no name: add --as, such as --as custom.css', { field: 'as' })
    return files.map((file) => ({ file, name: basename(file) }))
  }
  if (files.length > 1) fail('INVALID_INPUT', '--as names one file only', { field: 'as' })
  return files.map((file) => ({ file, name: given }))
}

async function* contentOf(file: string, { cwd, stdin }: Terminal): AsyncGenerator<Uint8Array> {
  if (file === '-') {
    yield* stdin as AsyncIterable<Uint8Array>
    return
  }
  try {
    yield* createReadStream(resolve(cwd(), file)) as AsyncIterable<Uint8Array>
  } catch (error) {
    unreadable(file, error)
  }
}

export const branding: CommandGroup = { commands: [list, add, remove] }
