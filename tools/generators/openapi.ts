import { format } from 'prettier'
import { openapiDocument } from '../../src/http/openapi/openapi.ts'
import { packageVersion } from '../../src/platform/version.ts'

/** The text of docs/reference/openapi.json. */
export async function openapiReference(): Promise<string> {
  const document = openapiDocument({ version: packageVersion(), base: '' })
  return await format(JSON.stringify(document), { parser: 'json', printWidth: 120 })
}
