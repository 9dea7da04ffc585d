import { listNodes } from '../../api/server/operator.ts'
import { listNodes as nodesOf } from '../../services/server/nodes.ts'
import { handler } from '../handler.ts'

export const nodeHandlers = {
  list: handler(listNodes, async (_, { shared }) => (shared === undefined ? [] : await nodesOf(shared))),
}
