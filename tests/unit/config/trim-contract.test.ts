import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { withoutSchemaImports, withoutSchemas } from '../../../config/build-ui/trim-contract.ts'

const API = join(import.meta.dirname, '../../../src/api')

describe('the contract in the page', () => {
  it('keeps what a call needs and loses every schema', () => {
    const code = `export const a = operation({
  id: 'a.b',
  params: PathParams,
  query: Type.Object({ x: Type.Optional(Type.String()), y: [1, 2] }),
  path: '/api/a',
  replies: { 200: Type.Array(
    Thing,
  ), 403: null },
  bodyKind: 'bytes',
})`
    expect(withoutSchemas(code)).toBe(`export const a = operation({
  id: 'a.b',
  path: '/api/a',
  bodyKind: 'bytes',
})`)
  })

  it('loses the imports of its schemas, and keeps those that are in use', () => {
    const code = `import { A, type B } from '../domain/a.ts'
import { C } from '../domain/c.ts'
import { operation } from '../../../src/api/operation.ts'
export const d = operation({ path: C })
`
    expect(withoutSchemaImports(code)).toBe(code.slice(code.indexOf('\n') + 1))
  })

  it('is cut cleanly out of every file', () => {
    for (const file of readdirSync(API).filter((name) => name.endsWith('.ts'))) {
      const source = readFileSync(join(API, file), 'utf8')
      const cut = withoutSchemas(source)
      const facts = (code: string) => code.match(/^ {2}(id|method|path|access|bodyKind): .*$/gm)
      expect(facts(cut), file).toEqual(facts(source))
      expect(cut, file).not.toMatch(/^ {2}(params|query|body|replies):/m)
    }
  })
})
