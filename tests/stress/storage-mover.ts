import { ROOT } from '../../src/domain/virtual-path.ts'
import { openLocalStorage } from '../../src/storage/local-storage.ts'
import { storagePathOf } from '../../src/storage/storage.ts'
import { path } from '../contract/storage-view.ts'

/** Run as a process: copies or moves one folder to another place, until it is done or killed. */
const [root = '', journal = '', action = 'copy', from = '/from', to = '/to'] = process.argv.slice(2)
const storage = await openLocalStorage(root, { journal })
const scope = await storage.openScope(storagePathOf(ROOT), 'follow')
process.stdout.write('ready\n')
const mode = { replace: true, folderMode: 0o750 }
if (action === 'copy') await scope.copy(path(from), path(to), mode)
else await scope.move(path(from), path(to), mode)
await scope[Symbol.asyncDispose]()
await storage[Symbol.asyncDispose]()
