import { describe, expect, it } from 'vitest'
import { Connections } from '../../../src/http/connections.ts'
import { buildApp } from '../../../src/http/app.ts'
import { CONNECTION_LIMITS } from '../../../src/http/framework-options.ts'
import { testContext } from '../../helpers/test-context.ts'

describe('a connection', () => {
  it('has limits against slow and endless clients', async () => {
    await using context = await testContext()
    await using app = await buildApp(context, { createServer: new Connections(CONNECTION_LIMITS).createServer })
    expect(app.server).toMatchObject({
      headersTimeout: 30_000,
      // Uploads may take hours, but must send something every minute.
      requestTimeout: 0,
      timeout: 60_000,
      keepAliveTimeout: 10_000,
    })
    expect(CONNECTION_LIMITS).toMatchObject({ maxHeaderSize: 16 * 1024, connectionsCheckingInterval: 5000 })
    expect(CONNECTION_LIMITS).not.toHaveProperty('insecureHTTPParser')
  })
})
