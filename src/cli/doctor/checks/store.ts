import { advice, fault, type Check, type Scene } from '../check.ts'

export const storeCheck: Check = {
  name: 'store',
  title: 'Store: valid, of this version',
  run({ store, folder, daemon }: Scene) {
    const { problem, reason, copies, corrupt } = store
    const set = corrupt.map((name) =>
      advice(`${name} was set aside as damaged`, 'compare it with store.json, then remove it'),
    )
    if (problem === undefined) return set
    if (reason === 'missing' && copies.length === 0)
      return [fault(problem, 'filemgr init, filemgr import or filemgr restore')]
    if (reason === 'newer') return [fault(problem, 'install the newer filemgr again, or restore a backup of this one')]
    const running = daemon === undefined ? '' : '; the daemon goes on with the state before until then'
    const repaired = `correct the place that it names${running}, or filemgr restore BACKUP`
    const [newest] = copies
    const fix = newest === undefined ? repaired : `${repaired}, or copy ${folder}/${newest} over it: that one is sound`
    return [fault(problem, fix), ...set]
  },
}
