import { format } from 'prettier'
import { createContext } from '../../src/context.ts'
import { defaultsOf } from '../../src/domain/schema-tools.ts'
import { ServerOptions } from '../../src/domain/server-options.ts'
import { describeApi } from '../../src/http/app.ts'
import { emptyDocument } from '../../src/store/empty-document.ts'
import { memoryStores } from '../../src/store/open-stores.ts'

/** The text of config/reference/openapi.json: the routes of an application that has no data and never listens. */
export async function openapiReference(): Promise<string> {
  const options = defaultsOf(ServerOptions)
  await using context = await createContext({ options, stores: memoryStores(emptyDocument()) })
  return await format(JSON.stringify(await describeApi(context)), { parser: 'json', printWidth: 120 })
}
