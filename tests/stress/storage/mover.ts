import { beginStaging } from '../../../src/context/staging-run.ts'
import { ROOT } from '../../../src/domain/files/virtual-path.ts'
import { silentLogger } from '../../../src/platform/logging/logger.ts'
import { openLocalStorage } from '../../../src/storage/local/local-storage.ts'
import { storagePathOf } from '../../../src/storage/storage.ts'
import { path } from '../../contract/storage/view.ts'

/** Run as a process: copies or moves one folder to another place, until it is done or killed. */
const [root = '', data = '', action = 'copy', from = '/from', to = '/to'] = process.argv.slice(2)
const staging = await beginStaging(data, silentLogger)
const storage = await openLocalStorage(root, { staged: staging.names })
const scope = await storage.openScope(storagePathOf(ROOT), 'follow')
process.stdout.write('ready\n')
const mode = { replace: true, folderMode: 0o750 }
if (action === 'copy') await scope.copy(path(from), path(to), mode)
else await scope.move(path(from), path(to), mode)
scope[Symbol.dispose]()
await storage[Symbol.asyncDispose]()
await staging[Symbol.asyncDispose]()
