import { chmod, copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { spawn } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { runCliJson } from '../../helpers/cli/run-cli.ts'
import { startTestDaemon } from '../../helpers/cli/test-daemon.ts'
import { tempFolder, type TempFolder } from '../../helpers/temp-folder.ts'

const ROOT = join(import.meta.dirname, '../../..')
const PASSWORD = 'a long passphrase'
/** Stand for a real link and a real address in the documentation. */
const HASH = '5Wc1RkJz0Q2hUuVb'

/** Install packages, accounts, services or containers: `tests/cli/serve` and `npm run check` prove what they rely on. */
const NEEDS_MACHINE = /^\s*(npm|sudo|docker|systemctl|useradd|install|runuser|apt)\b/m

const pages = ['README.md', ...(await readdir(join(ROOT, 'docs'))).map((name) => `docs/${name}`)]

describe.each(pages)('the commands in %s', (page) => {
  it('work as they are written, one after the other', async () => {
    const blocks = blocksOf(await readFile(join(ROOT, page), 'utf8')).filter((block) => !NEEDS_MACHINE.test(block))
    await using world = await makeWorld()
    for (const block of blocks) {
      const { code, output } = await world.run(block)
      expect({ block, code, output }).toMatchObject({ block, code: 0 })
    }
  })
})

it('the links in the documentation lead to pages and headings that exist', async () => {
  const missing: string[] = []
  for (const page of pages) {
    const text = await readFile(join(ROOT, page), 'utf8')
    for (const [, target = ''] of text.matchAll(/\]\((?!https?:)([^)\s]+)\)/g)) {
      const [path = '', heading] = target.split('#')
      const file = path === '' ? join(ROOT, page) : join(ROOT, page, '..', path)
      const content = await readFile(file, 'utf8').catch((error: unknown) =>
        (error as NodeJS.ErrnoException).code === 'EISDIR' ? '' : undefined,
      )
      const headings = [...(content ?? '').matchAll(/^#+ (.*)$/gm)].map(([, title = '']) => anchorOf(title))
      if (content === undefined || (heading !== undefined && !headings.includes(heading)))
        missing.push(`${page}: ${target}`)
    }
  }
  expect(missing).toEqual([])
})

function blocksOf(text: string): string[] {
  return [...text.matchAll(/^( *)```sh\n(.*?)^ *```$/gms)].map(([, indent = '', code = '']) =>
    code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  )
}

function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-')
}

interface World extends AsyncDisposable {
  run(block: string): Promise<{ code: number | null; output: string }>
}

/** A machine as the pages assume it: a daemon with a few users and files, and a database of File Browser beside it. */
async function makeWorld(): Promise<World> {
  const folder = await tempFolder({
    'files/docs/report.pdf': 'pdf',
    'files/secret/open/plan.txt': 'plan',
    'files/bob/': '',
    'files/archive/': '',
    'work/password.txt': 'correct horse battery staple\n',
    'work/secret.txt': 's3cret\n',
    'work/report.txt': 'report',
  })
  const data = folder.at('data')
  const daemon = await startTestDaemon({
    root: folder.at('files'),
    data,
    args: ['--username', 'admin', '--password', PASSWORD],
  })
  for (const name of ['bob', 'eve']) {
    await runCliJson(['--data', data, 'users', 'add', name, '--password', `the passphrase of ${name}`])
  }
  const { hash } = await runCliJson<{ hash: string }>(['--data', data, 'shares', 'add', '/docs/report.pdf'])
  await copyFile(join(ROOT, 'tests/fixtures/filebrowser-2.63/filebrowser.db'), folder.at('work/filebrowser.db'))
  await makeCommand(folder, data)
  return {
    async run(block) {
      const text = block
        .replaceAll(HASH, hash)
        .replaceAll(/http:\/\/127\.0\.0\.1:8080(?!\/)/g, daemon.url.slice(0, -1))
        .replaceAll(/https:\/\/files\.example\.org(?=\/)/g, daemon.url.slice(0, -1))
        .replaceAll('/srv/files', folder.at('files'))
        .replaceAll('/var/log/', `${folder.path}/`)
      return await shell(text, folder)
    },
    async [Symbol.asyncDispose]() {
      await daemon[Symbol.asyncDispose]()
      await folder[Symbol.asyncDispose]()
    },
  }
}

/** `filemgr` on the PATH: a daemon is stopped as soon as it listens, so that the block goes on. */
async function makeCommand(folder: TempFolder, data: string): Promise<void> {
  const program = join(ROOT, 'bin/filemgr')
  await mkdir(folder.at('bin'), { recursive: true })
  await writeFile(
    folder.at('bin/filemgr'),
    `#!/bin/bash
export FILEMGR_DATA='${data}'
case $1 in
  serve)
    export FILEMGR_DATA='${folder.at('other-data')}'
    coproc "${program}" "$@" --port 0 --json
    pid=$COPROC_PID
    read -r ready <&"\${COPROC[0]}" || { wait "$pid"; exit 1; }
    printf '%s\\n' "$ready"
    kill "$pid"; wait "$pid"
    ;;
  import) FILEMGR_DATA='${folder.at('new-data')}' exec "${program}" "$@" --root '${folder.at('files')}' ;;
  *) exec "${program}" "$@" ;;
esac
`,
  )
  await chmod(folder.at('bin/filemgr'), 0o755)
}

/** The variables that a block sets are there in the next one. */
async function shell(block: string, folder: TempFolder): Promise<{ code: number | null; output: string }> {
  const state = folder.at('variables')
  const script = `set -eu; [ ! -f '${state}' ] || . '${state}'; ${block}\ndeclare -p URL TOKEN > '${state}' 2>/dev/null || true`
  const child = spawn('bash', ['-c', script], {
    cwd: folder.at('work'),
    env: { PATH: `${folder.at('bin')}:${process.env['PATH'] ?? ''}`, HOME: folder.at('work') },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (output += part.toString()))
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  return { code, output }
}
