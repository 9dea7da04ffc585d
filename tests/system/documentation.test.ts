import { chmod, copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { spawn, spawnSync } from 'node:child_process'
import { homedir } from 'node:os'
import { describe, expect, it } from 'vitest'
import { CHEAP_HASH } from '../helpers/cheap-account.ts'
import { bareEnvironment } from '../helpers/cli/run-cli.ts'
import { startTestDaemon } from '../helpers/cli/test-daemon.ts'
import { testStore, type TestStore } from '../helpers/cli/test-store.ts'
import { tempFolder, type TempFolder } from '../helpers/temp-folder.ts'
import { needsPrograms } from '../helpers/needs.ts'

needsPrograms('curl', 'python3')

const ROOT = join(import.meta.dirname, '../..')
/** The build cache of Go, with its standard library. */
const GOCACHE = join(homedir(), '.cache/go-build')
/** Stands for the hash of a real link in the documentation. */
const HASH = '5Wc1RkJz0Q2hUuVb'

type Language = 'sh' | 'python' | 'go'

interface Block {
  readonly language: Language
  readonly text: string
}

/** File and command line for a program, by the language of its block. Go is too large to install for one example. */
const PROGRAMS: Readonly<Partial<Record<Language, readonly [file: string, line: string]>>> = {
  python: ['example.py', 'python3 example.py'],
  ...(spawnSync('go', ['version']).status === 0 && { go: ['example.go', 'go run example.go'] }),
}

const QUANTUM = 'needs an installation of FileBrowser Quantum; tests/cli/server/import-quantum.test.ts has one'

/** Blocks that cannot run here, by their first line. */
const NOT_RUN: Readonly<Record<string, string>> = {
  'npm start -- .      # serves this folder and prints a link that signs you in':
    'would run all tests within a test; tests/cli/serve/start-script.test.ts runs `npm start`',
  'npm ci && npm pack && sudo npm install --global ./filemgr-1.0.0.tgz':
    'installs packages from the network for the whole machine; `npm run check` looks at what is packed',
  'sudo filemgr service install /srv/files':
    'starts a service of this machine; tests/cli/serve/service.test.ts installs, asks and removes it with a systemctl of its own',
  'sudo filemgr service remove            # if it runs as a service':
    'removes packages of this machine; tests/cli/serve/service.test.ts removes a service',
  'sudo rm -rf /var/lib/filemgr /var/cache/filemgr ~root/.cache/filemgr': 'removes data and an account of this machine',
  'filemgr settings set auth.header=Remote-User auth.method=proxy createUserDir=true':
    'needs a daemon that was started with trusted proxies; tests/package/sign-in-proxies.test.ts has one',
  'sudo install -D -m 0755 ldap.py /etc/filemgr/ldap.py':
    'needs a directory; tests/package/sign-in-ldap.test.ts has one',
  'cd "$(npm root --global)/filemgr/docs/deploy"':
    'starts a timer of this machine; tests/cli/serve/deploy.test.ts runs its command',
  'filemgr maintenance on --message "We are moving"': 'needs another machine',
  'sudo filemgr --data /var/lib/filemgr restore state.tar --yes': 'replaces the store of this machine',
  'filemgr import database.db config.yaml --dry-run': QUANTUM,
  'filemgr import database.db config.yaml': QUANTUM,
  'createuser filemgr && createdb --owner filemgr filemgr':
    'needs a database; tests/cluster/daemons.test.ts has one, and copies a store there',
  'export PGPASSWORD=… AWS_ACCESS_KEY_ID=… AWS_SECRET_ACCESS_KEY=…':
    'needs a database and a bucket; tests/cluster/balanced has both',
  'filemgr serve /srv/files --store postgres://filemgr@db/filemgr --processes 4':
    'needs a database; tests/cluster/processes.test.ts has one',
  'export AWS_ACCESS_KEY_ID=… AWS_SECRET_ACCESS_KEY=…': 'needs a bucket; tests/cluster/serve-s3.test.ts has one',
  'filemgr serve --root s3://bucket/prefix --s3-direct https://s3.example.org':
    'needs a bucket; tests/cluster/direct-downloads.test.ts has one',
}

const guide = (await readdir(join(ROOT, 'docs/guide'))).map((name) => `docs/guide/${name}`)
const pages = ['README.md', 'docs/README.md', ...guide]

describe.each(pages)('the commands in %s', (page) => {
  it('work as they are written, one after the other', async () => {
    const blocks = blocksOf(await readFile(join(ROOT, page), 'utf8')).filter(isRun)
    if (blocks.length === 0) return
    await using world = await makeWorld()
    for (const block of blocks) {
      const { code, output } = await world.run(block)
      expect({ ...block, code, output }).toMatchObject({ ...block, code: 0 })
    }
  })
})

it('every block on the list of exceptions is still in the documentation', async () => {
  const texts = await Promise.all(pages.map(async (page) => await readFile(join(ROOT, page), 'utf8')))
  const firstLines = texts.flatMap(blocksOf).map(firstLineOf)
  expect(Object.keys(NOT_RUN).filter((line) => !firstLines.includes(line))).toEqual([])
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

function isRun(block: Block): boolean {
  return !Object.hasOwn(NOT_RUN, firstLineOf(block)) && (block.language === 'sh' || block.language in PROGRAMS)
}

function firstLineOf({ text }: Block): string {
  return text.split('\n', 1)[0] ?? ''
}

function blocksOf(page: string): Block[] {
  return [...page.matchAll(/^( *)```(sh|python|go)\n(.*?)^ *```$/gms)].map(([, indent = '', language, text = '']) => ({
    language: language as Language,
    text: text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  }))
}

function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-')
}

interface World extends AsyncDisposable {
  run(block: Block): Promise<{ code: number | null; output: string }>
}

/** A machine as the pages assume it: a daemon with a few users and files, and a database of File Browser beside it. */
async function makeWorld(): Promise<World> {
  const [, hashOfUsers] = CHEAP_HASH
  const folder = await tempFolder({
    'work/password.txt': 'correct horse battery staple\n',
    'work/secret.txt': 's3cret\n',
    'work/report.txt': 'report',
    'photos/2024/': '',
    'bucket/2024/': '',
    'users.csv': `username,passwordHash\n${['bob', 'eve'].map((name) => `${name},"${hashOfUsers}"\n`).join('')}`,
  })
  const store = await testStore({
    'docs/report.pdf': 'pdf',
    'secret/open/plan.txt': 'plan',
    'bob/': '',
    'archive/': '',
    'inbox/': '',
    'team/': '',
  })
  const { data, root } = store
  const daemon = await startTestDaemon({ root, data })
  expect(await store.run(['users', 'import', folder.at('users.csv')])).toMatchObject({ code: 0 })
  const { hash } = await store.json<{ hash: string }>(['shares', 'add', '/docs/report.pdf'])
  await copyFile(join(ROOT, 'tests/fixtures/filebrowser-2.63/filebrowser.db'), folder.at('work/filebrowser.db'))
  await makeCommand(folder, store)
  return {
    async run({ language, text: written }) {
      const text = written
        .replaceAll(HASH, hash)
        .replaceAll(/http:\/\/127\.0\.0\.1:8080(?!\/)/g, daemon.url.slice(0, -1))
        .replaceAll(/https:\/\/files\.example\.org(?=\/)/g, daemon.url.slice(0, -1))
        .replaceAll('/srv/files', root)
        .replaceAll('/srv/photos', folder.at('photos'))
        // Whether a bucket or a folder: the commands are the same.
        .replaceAll('s3://team-files/archive', folder.at('bucket'))
        .replaceAll('/var/log/', `${folder.path}/`)
      const [file, line] = PROGRAMS[language] ?? []
      if (file === undefined || line === undefined) return await shell(text, folder)
      await writeFile(folder.at(`work/${file}`), text)
      return await shell(line, folder)
    },
    async [Symbol.asyncDispose]() {
      await daemon[Symbol.asyncDispose]()
      await store[Symbol.asyncDispose]()
      await folder[Symbol.asyncDispose]()
    },
  }
}

/** `filemgr` on the PATH: a daemon is stopped as soon as it listens, so that the block goes on. */
async function makeCommand(folder: TempFolder, { data, root }: TestStore): Promise<void> {
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
  import) FILEMGR_DATA='${folder.at('new-data')}' exec "${program}" "$@" --root '${root}' ;;
  *) exec "${program}" "$@" ;;
esac
`,
  )
  await chmod(folder.at('bin/filemgr'), 0o755)
}

/** Runs a block in a shell. The next block sees the variables that it sets. */
async function shell(block: string, folder: TempFolder): Promise<{ code: number | null; output: string }> {
  const state = folder.at('variables')
  const script = `set -eu; [ ! -f '${state}' ] || . '${state}'; ${block}\ndeclare -p URL TOKEN > '${state}' 2>/dev/null || true`
  const bare = bareEnvironment()
  const child = spawn('bash', ['-c', script], {
    cwd: folder.at('work'),
    env: { ...bare, PATH: `${folder.at('bin')}:${bare['PATH'] ?? ''}`, HOME: folder.at('work'), GOCACHE },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (output += part.toString()))
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  return { code, output }
}
