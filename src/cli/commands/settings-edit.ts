import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fail, isFilemgrError } from '../../domain/errors.ts'
import { command, type Terminal } from '../command.ts'
import { openContext } from '../open-context.ts'
import { formatText, parseText } from '../settings-text.ts'
import { applySettings, publicSettings } from './settings-files.ts'

const HEAD = `# The live settings of filemgr. Save and leave the editor to change them; leave without a change to keep them.
# What is taken out stays as it is.
`

const MARK = 'Not saved:'
const COMPLAINT = new RegExp(`^# ${MARK}[^\n]*\n`)

export const edit = command({
  name: 'edit',
  summary: 'Change live settings in an editor: $VISUAL, $EDITOR, or vi',
  operations: ['settings.updateAll'],
  examples: [['settings edit', 'opens them as YAML, again when something in them is wrong']],
  async run(invocation) {
    await using context = await openContext(invocation)
    await using folder = await privateFolder()
    const file = join(folder.path, 'settings.yaml')
    let offered = HEAD + (await formatText(publicSettings(context), 'yaml'))
    const original = offered
    for (;;) {
      await writeFile(file, offered, { mode: 0o600 })
      await runEditor(file, invocation.terminal)
      const text = await readFile(file, 'utf8')
      if (text === original) {
        const json = { dryRun: false, changed: [] }
        await invocation.output.answer({ json, ids: [], text: 'nothing was changed' })
        return
      }
      try {
        await applySettings(invocation, context, await parseText(text, 'yaml', 'this'))
        return
      } catch (error) {
        // Whoever leaves the editor without another try gives up.
        if (!isFilemgrError(error, 'INVALID_INPUT') || text === offered) throw error
        offered = `# ${MARK} ${error.message}\n${text.replace(COMPLAINT, '')}`
      }
    }
  },
})

/** No shell: a folder's name in $EDITOR must not become a command. */
async function runEditor(file: string, { env, stdin }: Terminal): Promise<void> {
  const [program = 'vi', ...args] = (env['VISUAL'] ?? env['EDITOR'] ?? 'vi').split(/\s+/).filter((word) => word !== '')
  const child = spawn(program, [...args, file], { stdio: [stdin.isTTY ? 'inherit' : 'ignore', 'inherit', 'inherit'] })
  const status = await once(child, 'exit').then(
    ([code]: unknown[]) => code,
    (error: unknown) => {
      const { code = 'unknown error' } = error as NodeJS.ErrnoException
      return fail('INVALID_INPUT', `the editor ${program} cannot be started (${code}); set $EDITOR`, {
        field: 'EDITOR',
      })
    },
  )
  if (status !== 0) fail('CANCELLED', `the editor ${program} failed; nothing was changed`)
}

async function privateFolder() {
  const path = await mkdtemp(join(tmpdir(), 'filemgr-'))
  return { path, [Symbol.asyncDispose]: async () => await rm(path, { recursive: true, force: true }) }
}
