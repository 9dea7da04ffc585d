import { advice, skip, type Check, type Scene } from '../check.ts'

export const sharesCheck: Check = {
  name: 'shares',
  title: 'Links without an end',
  run({ store: { document } }: Scene) {
    if (document === undefined) return skip('the store cannot be read')
    const endless = document.shares.filter(({ expire }) => expire === 0)
    const open = endless.filter(({ passwordHash }) => passwordHash === undefined)
    if (endless.length === 0) return []
    const problem = `${endless.length} links never expire, ${open.length} of them without a password`
    return [advice(problem, 'filemgr shares ls shows them; filemgr shares set HASH --expires 30d')]
  },
}
