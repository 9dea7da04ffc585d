import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Operation } from '../../src/api/operation.ts'
import { OPERATIONS } from '../../src/api/index.ts'
import { allCommands, type PlacedCommand } from '../../src/cli/program/command.ts'
import { COMMANDS } from '../../src/cli/line/command-list.ts'

const root = join(import.meta.dirname, '../..')

/** The topics of src/README.md. */
const TOPICS = ['accounts', 'access', 'files', 'uploads', 'shares', 'automation', 'settings', 'server']

/** How services build upon each other; what all need stands above the folders. */
const ORDER = ['access', 'accounts', 'automation', 'settings', 'server', 'files', 'shares', 'uploads']

/** Folders that are divided by topic, with what else they contain. */
const DIVIDED: Readonly<Record<string, readonly string[]>> = {
  'src/domain': ['schema', 'text'],
  'src/api': [],
  'src/services': [],
  'src/http/routes': [],
  // The command line itself: completion, version, old lines.
  'src/cli/commands': ['line'],
  'tests/unit/domain': ['schema', 'text'],
  'tests/unit/services': [],
  // Attacks that were published against other programs.
  'tests/api': ['published-flaws'],
  // How the daemon starts, and how lines are read.
  'tests/cli': ['serve', 'line'],
  // Screens that show several topics.
  'tests/browser': ['accessibility', 'editor', 'page', 'viewer'],
}

/** Nouns without a service of their own, and what answers instead. */
const WITHOUT_SERVICE: Readonly<Record<string, string>> = {
  encodings: 'platform/text/text-reader.ts',
  public: 'services/shares/visits.ts and shared-files.ts',
}

/** What only the operator may do, for all nouns of a topic. */
const OPERATOR_FILE = 'operator.ts'

interface Placed {
  readonly operation: Operation
  readonly name: string
  readonly topic: string
  readonly file: string
}

const placed = await placedOperations()

describe('topics', () => {
  it.each(Object.entries(DIVIDED))('divide %s', (folder, others) => {
    const found = readdirSync(join(root, folder), { withFileTypes: true }).filter((entry) => entry.isDirectory())
    expect(found.map(({ name }) => name).filter((name) => ![...TOPICS, ...others].includes(name))).toEqual([])
  })

  it('hold every operation in a file that is named after its noun', () => {
    expect(placed.map(({ operation }) => operation.id).toSorted()).toEqual(OPERATIONS.map(({ id }) => id).toSorted())
    const elsewhere = placed.filter(({ operation, file }) => !isNamedAfter(nounOf(operation.id), file))
    expect(elsewhere.map(({ operation, file }) => `${operation.id} in ${file}`)).toEqual([])
  })

  it('hold the route of every operation in a file that is named after its noun, or its handler in that of the topic', () => {
    const routes = filesBelow('src/http/routes')
    const handlers = TOPICS.map((each) => ({
      topic: each,
      text: readFileSync(join(root, 'src/operations', `${each}.ts`), 'utf8'),
    }))
    for (const { operation, name, topic } of placed) {
      const mounted = routes.filter(({ text }) => new RegExp(`\\bimport [^;]*?\\b${name}\\b`).test(text))
      const handled = handlers.filter(({ text }) => new RegExp(`\\bhandler\\(\\s*${name}\\b`).test(text))
      expect(mounted.length + handled.length, operation.id).toBeGreaterThan(0)
      expect(handled.map((handler) => handler.topic)).toEqual(handled.map(() => topic))
      const elsewhere = mounted.filter(
        ({ folder, file }) => folder !== topic || !isNamedAfter(nounOf(operation.id), file),
      )
      expect(elsewhere.map(({ path }) => `${operation.id} in ${path}`)).toEqual([])
    }
  })

  it('hold a service that is named after each noun', () => {
    for (const { operation, topic } of placed) {
      const noun = nounOf(operation.id)
      if (noun in WITHOUT_SERVICE) continue
      const names = readdirSync(join(root, 'src/services', topic))
      expect(
        names.filter((name) => isNamedAfter(noun, name)),
        `${noun} in services/${topic}`,
      ).not.toEqual([])
    }
  })

  it('import services only of the topics before them', () => {
    const upwards = filesBelow('src/services').flatMap(({ path, folder, text }) =>
      [...text.matchAll(/ from '(?:\.\.\/)+(\w+)\//g)].flatMap(([, topic = '']) =>
        ORDER.indexOf(topic) > ORDER.indexOf(folder) ? [`${path} imports ${topic}`] : [],
      ),
    )
    expect(upwards).toEqual([])
    expect(ORDER.toSorted()).toEqual(TOPICS.toSorted())
  })

  it('hold a command for every operation that has one', async () => {
    const folders = topicsOfCommands()
    const commands = await allCommands(COMMANDS)
    for (const { operation, topic } of placed) {
      const having = commands.filter(({ command }) => command.operations?.includes(operation.id))
      if (having.length === 0) continue
      const topics = having.map(({ path }: PlacedCommand) => folders.get(path[0] ?? ''))
      expect(topics, operation.id).toContain(topic)
    }
  })
})

function nounOf(id: string): string {
  return id.split('.', 1)[0] ?? ''
}

/** "users.ts", "user-write.ts" and "users/" are named after "users". */
function isNamedAfter(noun: string, name: string): boolean {
  const [base = ''] = name.split('.', 1)
  return [noun, noun.replace(/s$/, '')].some((word) => base === word || base.startsWith(`${word}-`))
}

async function placedOperations(): Promise<Placed[]> {
  const found: Placed[] = []
  for (const topic of TOPICS) {
    for (const file of readdirSync(join(root, 'src/api', topic))) {
      if (file === OPERATOR_FILE) continue
      const module = (await import(`../../src/api/${topic}/${file}`)) as Record<string, Operation>
      for (const [name, operation] of Object.entries(module)) found.push({ operation, name, topic, file })
    }
  }
  return found
}

interface SourceFile {
  readonly path: string
  readonly folder: string
  readonly file: string
  readonly text: string
}

function filesBelow(folder: string): SourceFile[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => {
      const [topic = '', file = ''] = path.split('/')
      return { path, folder: topic, file, text: readFileSync(join(root, folder, path), 'utf8') }
    })
}

/** Topic of each top-level word of the command line. */
function topicsOfCommands(): Map<string, string> {
  const list = readFileSync(join(root, 'src/cli/line/command-list.ts'), 'utf8')
  const entries = list.matchAll(/name: '(?<name>[\w-]+)'(?:(?!name: ')[^])*?commands\/(?<topic>\w+)\//g)
  return new Map([...entries].map(({ groups }) => [groups?.['name'] ?? '', groups?.['topic'] ?? '']))
}
