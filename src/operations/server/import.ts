import { importInstallation } from '../../api/server/operator.ts'
import { storeName } from '../../domain/server/store-url.ts'
import type { FoundInstallation } from '../../import/import-installation.ts'
import { handler } from '../handler.ts'

export const importHandlers = {
  import: handler(
    importInstallation,
    async ({ query: { dryRun }, body: { found, merge } }, { store, options, dataFolder = '' }) => {
      const { importInto } = await import('../../import/import-installation.ts')
      const name = storeName({ folder: dataFolder, url: options.store })
      return await importInto(store, found as FoundInstallation, { dryRun, merge, name })
    },
    ({ body: { files } }) => files.join(' '),
  ),
}
