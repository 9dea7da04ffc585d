import { expect, it } from 'vitest'
import { parseVirtualPath, type VirtualPath } from '../../../../src/domain/files/virtual-path.ts'
import { freeName } from '../../../../src/services/files/free-name.ts'

async function found(taken: readonly string[]): Promise<{ path: VirtualPath; checks: number }> {
  const names = new Set(taken)
  let checks = 0
  const path = await freeName(parseVirtualPath('/in/a.txt'), async (each) => {
    checks += 1
    return !names.has(each)
  })
  return { path, checks }
}

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `/in/a(${index + 1}).txt`)

it.each([0, 1, 2, 3, 4, 7, 8, 9, 1000])('the next number is found after %i others', async (count) => {
  const { path, checks } = await found(['/in/a.txt', ...numbered(count)])
  expect(path).toBe(`/in/a(${count + 1}).txt`)
  expect(checks).toBeLessThanOrEqual(22)
})

it('a free name stays as it is, and numbers with gaps lead to some free number', async () => {
  expect(await found(numbered(3))).toEqual({ path: '/in/a.txt', checks: 1 })
  const taken = ['/in/a.txt', '/in/a(1).txt', '/in/a(2).txt', '/in/a(4).txt']
  expect(taken).not.toContain((await found(taken)).path)
})
