import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { cruise, type ICruiseResult } from 'dependency-cruiser'
import { describe, expect, it } from 'vitest'
import rules from '../../config/lint/dependency-cruiser.ts'

const root = join(import.meta.dirname, '../..')

const VIOLATIONS: readonly { rule: string; file: string; text: string }[] = [
  { rule: 'no-circular', file: 'src/domain/x-a.ts', text: `import { b } from './x-b.ts'\nexport const a = () => b` },
  { rule: 'no-circular', file: 'src/domain/x-c.ts', text: `import type { D } from './x-d.ts'\nexport type C = D | 1` },
  { rule: 'nothing-unresolved', file: 'src/domain/x-lost.ts', text: `import './nowhere.ts'` },
  { rule: 'domain-no-io', file: 'src/domain/x-io.ts', text: `import { readFile } from 'node:fs'\nreadFile` },
  { rule: 'domain-is-pure', file: 'src/domain/x-up.ts', text: `import '../api/accounts/users.ts'` },
  { rule: 'api-is-declarations', file: 'src/api/x.ts', text: `import '../platform/clock.ts'` },
  { rule: 'platform-is-generic', file: 'src/platform/x.ts', text: `import '../store/document.ts'` },
  { rule: 'store-stands-alone', file: 'src/store/x.ts', text: `import '../storage/storage.ts'` },
  { rule: 'storage-stands-alone', file: 'src/storage/x.ts', text: `import '../store/store.ts'` },
  { rule: 'services-see-seams', file: 'src/services/x.ts', text: `import '../store/x-implementation.ts'` },
  { rule: 'operations-call-services', file: 'src/operations/x.ts', text: `import '../http/x.ts'` },
  { rule: 'operations-are-given-the-context', file: 'src/operations/x-context.ts', text: `import '../context.ts'` },
  { rule: 'http-calls-services', file: 'src/http/x.ts', text: `import '../store/x-implementation.ts'` },
  { rule: 'import-is-an-annex', file: 'src/import/x.ts', text: `import '../http/x.ts'` },
  { rule: 'upkeep-is-an-annex', file: 'src/upkeep/x.ts', text: `import '../http/x.ts'` },
  { rule: 'cli-calls-services', file: 'src/cli/x.ts', text: `import '../http/x.ts'` },
  { rule: 'serve-loads-the-daemon-lazily', file: 'src/cli/x-daemon.ts', text: `import '../daemon.ts'` },
  { rule: 'options-are-values', file: 'src/options/x.ts', text: `import '../services/x.ts'` },
  { rule: 'context-wires-below-the-faces', file: 'src/context/x.ts', text: `import '../http/x.ts'` },
  { rule: 'daemon-sees-no-command', file: 'src/daemon/x.ts', text: `import '../cli/x.ts'` },
  { rule: 'ui-sees-contract-only', file: 'ui/src/app/x.ts', text: `import '../../../src/platform/clock.ts'` },
  { rule: 'ui-runs-in-browsers', file: 'ui/src/app/x-core.ts', text: `import { join } from 'node:path'\njoin` },
  { rule: 'screens-do-not-mix', file: 'ui/src/viewer/x.ts', text: `import '../editor/x.ts'` },
  { rule: 'files-serve-screens', file: 'ui/src/files/x.ts', text: `import '../editor/x.ts'` },
  { rule: 'common-knows-no-screen', file: 'ui/src/common/x.ts', text: `import '../editor/x.ts'` },
  { rule: 'api-of-the-page-draws-nothing', file: 'ui/src/api/x.ts', text: `import '../editor/x.ts'` },
  { rule: 'kit-is-generic', file: 'ui/src/kit/x.ts', text: `import '../editor/x.ts'` },
  { rule: 'lib-is-pure', file: 'ui/src/lib/x.ts', text: `import '../kit/x.ts'` },
  { rule: 'home-of-lowdb', file: 'src/services/x-lowdb.ts', text: `import { Low } from 'lowdb'\nLow` },
  { rule: 'home-of-fastify', file: 'src/services/x-fastify.ts', text: `import { fastify } from 'fastify'\nfastify` },
  { rule: 'home-of-commander', file: 'src/http/x-cli.ts', text: `import { Command } from 'commander'\nCommand` },
]

/** The modules that the violations import. */
const IMPORTED: readonly { file: string; text: string }[] = [
  { file: 'src/domain/x-b.ts', text: `import { a } from './x-a.ts'\nexport const b = () => a` },
  { file: 'src/domain/x-d.ts', text: `import type { C } from './x-c.ts'\nexport type D = C | 2` },
  ...[
    'src/api/accounts/users.ts',
    'src/platform/clock.ts',
    'src/store/document.ts',
    'src/store/store.ts',
    'src/store/x-implementation.ts',
    'src/storage/storage.ts',
    'src/context.ts',
    'src/daemon.ts',
    'ui/src/editor/x.ts',
  ].map((file) => ({ file, text: 'export {}' })),
]

/** `npm run check` applies these rules to the program; these tests apply them to planted violations. */
describe('the layer rules', () => {
  it('report every violation that is planted', async () => {
    await using program = await plantedProgram()
    const { summary } = await layersOf(program.folder)
    const reported = new Set(summary.violations.map(({ rule, from }) => `${rule.name}: ${from}`))
    for (const { rule, file } of VIOLATIONS) expect(reported).toContain(`${rule}: ${file}`)
  })

  it('are all covered by a planted violation, except those for the home of a package', () => {
    const planted = new Set(VIOLATIONS.map(({ rule }) => rule))
    const layerRules = rules.forbidden.map(({ name }) => name ?? '').filter((name) => !name.startsWith('home-of-'))
    expect(layerRules.filter((name) => !planted.has(name))).toEqual([])
  })
})

async function layersOf(baseDir: string): Promise<ICruiseResult> {
  const { output } = await cruise(['src', 'ui/src'], { ...rules.options, baseDir, ruleSet: rules, validate: true })
  if (typeof output === 'string') throw new Error(`expected a result object, got: ${output}`)
  return output
}

async function plantedProgram(): Promise<AsyncDisposable & { folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'filemgr-layers-'))
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  for (const { file, text } of [...IMPORTED, ...VIOLATIONS]) {
    await mkdir(dirname(join(folder, file)), { recursive: true })
    await writeFile(join(folder, file), text)
  }
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) }
}
