import { addShare, countUp } from '../../contract/store/samples.ts'
import { openStores } from '../../../src/store/open-stores.ts'

/**
 * A process that changes the store: `node writer.ts <folder> <updates>`. Prints the number of each share it added
 * as soon as that is acknowledged.
 */
const [folder = '', updates = '0'] = process.argv.slice(2)
await using stores = await openStores({ folder })
for (let count = 0; count < Number(updates); count++) {
  const share = await stores.store.update((draft) => {
    countUp(draft)
    return addShare(draft)
  })
  process.stdout.write(`${share}\n`)
}
