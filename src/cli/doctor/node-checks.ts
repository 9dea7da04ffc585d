import { describeNode, describeSkew, MAX_SKEW, type NodeState } from '../../domain/server/node.ts'
import { advice, type Check, fault, type Finding, type DoctorContext, skip } from './doctor-context.ts'

/** Daemons of one store must serve the same files, by the same rules, at the same time. */
export const nodesCheck: Check = {
  name: 'nodes',
  title: 'Daemons that share the database: alike, and clocks right',
  async run({ folder, database, store: { document } }: DoctorContext) {
    if (database === '') return skip('the store is in the data folder')
    if (document === undefined) return skip('the store cannot be read')
    const { readNodes } = await import('../../upkeep/inspect-store.ts')
    const { nodes, skew } = await readNodes({ folder, url: database })
    const alive = nodes.filter(({ isAlive }) => isAlive)
    const dead = nodes.filter(({ isAlive }) => !isAlive)
    return [
      ...clockFinding('the clock of this machine', skew),
      ...alive.flatMap((node) => clockFinding(`the clock of ${node.host} (${node.url})`, node.skew)),
      ...difference(alive, 'version', 'finish the upgrade, one daemon after another'),
      ...difference(alive, 'root', 'name the same bucket for all, or the folder where each has mounted the same disk'),
      ...dead.map((node) => advice(describeNode(node), 'start it again, or leave it: other daemons do its work')),
    ]
  },
}

function clockFinding(whose: string, skew: number): Finding[] {
  if (Math.abs(skew) <= MAX_SKEW) return []
  const fix = 'set it, and turn on time synchronisation (timedatectl set-ntp true)'
  return [fault(`${whose} is ${describeSkew(skew)} that of the database`, fix)]
}

function difference(nodes: readonly NodeState[], field: 'version' | 'root', fix: string): Finding[] {
  const values = [...new Set(nodes.map((node) => node[field]))]
  if (values.length < 2) return []
  return [advice(`daemons have different ${field}s: ${values.join(', ')}`, fix)]
}
