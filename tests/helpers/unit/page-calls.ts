import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Operation } from '../../../src/api/operation.ts'

const PAGE = join(import.meta.dirname, '../../../ui/src')
const API = join(import.meta.dirname, '../../../src/api')

/** Matches `import { login, type Credentials } from '…/src/api/auth.ts'`, also over several lines, but not `import type`. */
const IMPORT = /\bimport\s+(?!type\b)([^'"]*?)\s+from\s+['"](?:\.\.\/)+src\/api\/([\w/-]+)\.ts['"]/g

/**
 * The operations that the page calls, by id. A value that a file of `ui/src` imports from `src/api` is also used, because
 * unused imports fail the type check.
 */
export async function pageCalls(): Promise<ReadonlySet<string>> {
  const files = globSync('**/*.{ts,tsx}', { cwd: PAGE })
  const imported = files.flatMap((file) => operationImports(readFileSync(join(PAGE, file), 'utf8')))
  return new Set(await Promise.all(imported.map(idOf)))
}

async function idOf({ module, name }: OperationImport): Promise<string> {
  const exported = (await import(join(API, module))) as Readonly<Record<string, Operation>>
  return exported[name]?.id ?? `${module}: ${name}`
}

interface OperationImport {
  readonly module: string
  readonly name: string
}

/** Refuses namespace imports, which do not show what is called. */
export function operationImports(source: string): readonly OperationImport[] {
  return [...source.matchAll(IMPORT)].flatMap(([statement, names = '', module = '']) => {
    const list = /^\{([^}]*)\}$/.exec(names)?.[1]
    if (list === undefined) throw new Error(`name what is imported, so that the calls of the page show: ${statement}`)
    return list
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '' && !name.startsWith('type '))
      .map((name) => ({ module: `${module}.ts`, name: name.replace(/\s+as\s.*/s, '') }))
  })
}
