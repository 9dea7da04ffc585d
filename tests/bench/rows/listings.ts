import { join } from 'node:path'
import { NEEDLE } from '../data.ts'
import { secondsOf } from '../processes.ts'
import type { Row } from '../row.ts'
import type { Workbench } from '../workbench.ts'

const FIND = 'find "$1" -maxdepth 1 -printf \'%f %s %T@\\n\' >/dev/null'

export function listingRows({ data, ask }: Workbench): Row[] {
  const list = (name: string, files: number, ratio: number): Row => ({
    name,
    unit: 's',
    goal: { ratio },
    limit: { name: 'find -printf', run: async () => await secondsOf(FIND, join(data.root, data.folderOf(files))) },
    run: async () => await ask([{ path: `/api/resources/${data.folderOf(files)}/` }]),
  })
  const tree = () => data.treeOf(200_000)
  return [
    list('list 10k', 10_000, 1.5),
    list('list 100k', 100_000, 2.3),
    {
      name: 'search 200k names',
      unit: 's',
      goal: { ratio: 0.137 },
      limit: {
        name: 'find -iname',
        run: async () => await secondsOf('find "$1" -iname "*$2*" >/dev/null', join(data.root, tree()), NEEDLE),
      },
      run: async () => await ask([{ path: `/api/search/${tree()}/?query=${NEEDLE}` }]),
    },
  ]
}
