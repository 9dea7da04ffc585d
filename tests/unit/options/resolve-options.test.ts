import { describe, expect, it } from 'vitest'
import { resolveOptions, storeFrom } from '../../../src/options.ts'

const workingFolder = '/somewhere'

describe('resolveOptions', () => {
  it('prefers flag, environment, config file, store and default in this order, and says which it took', () => {
    const { options, sources } = resolveOptions({
      workingFolder,
      flags: { port: 1 },
      environment: { FILEMGR_PORT: '2', FILEMGR_ADDRESS: '127.0.0.2' },
      configFile: { port: 3, address: '127.0.0.3', baseURL: '/three' },
      stored: { port: 4, address: '127.0.0.4', baseURL: '/four', readOnly: true },
    })
    expect(options).toMatchObject({ port: 1, address: '127.0.0.2', baseURL: '/three', readOnly: true, log: 'stderr' })
    expect(sources).toMatchObject({
      port: 'flag',
      address: 'environment',
      baseURL: 'config file',
      readOnly: 'store',
      log: 'default',
    })
  })

  it('makes a relative root absolute', () => {
    expect(resolveOptions({ workingFolder, flags: { root: 'files' } }).options.root).toBe('/somewhere/files')
  })

  it('shows a database without its password, and never takes it from the store', () => {
    const environment = { FILEMGR_STORE: 'postgres://filemgr:secret@db/filemgr' }
    const { options, sources } = resolveOptions({ workingFolder, environment, stored: { store: 'postgres://other/x' } })
    expect([options.store, sources.store]).toEqual(['postgres://filemgr@db/filemgr', 'environment'])
    expect(storeFrom({ environment, configFile: { store: '' } })).toBe(environment.FILEMGR_STORE)
    expect(storeFrom({})).toBeUndefined()
    expect(resolveOptions({ workingFolder, stored: { store: 'postgres://other/x' } }).options.store).toBe('')
  })

  it('honours the names of File Browser where its own are not set', () => {
    const environment = { FB_PORT: '9001', FB_BASE_URL: '/old', FILEMGR_BASE_URL: '/new', FB_NOAUTH: 'true' }
    const { options } = resolveOptions({ workingFolder, environment })
    expect(options).toMatchObject({ port: 9001, baseURL: '/new', noAuth: true })
  })

  it('enables commands by FB_DISABLE_EXEC=false, and ignores its default', () => {
    expect(resolveOptions({ workingFolder, environment: { FB_DISABLE_EXEC: 'false' } }).options.enableExec).toBe(true)
    expect(resolveOptions({ workingFolder, environment: { FB_DISABLE_EXEC: 'true' } }).sources.enableExec).toBe(
      'default',
    )
  })

  it('does not let the store enable commands', () => {
    const { options, sources } = resolveOptions({ workingFolder, stored: { enableExec: true } })
    expect(options.enableExec).toBe(false)
    expect(sources.enableExec).toBe('default')
  })

  it('names the variable that holds a wrong value', () => {
    expect(() => resolveOptions({ workingFolder, environment: { FB_PORT: 'http' } })).toThrow(
      'FB_PORT must be a whole number, not "http"',
    )
  })

  it('counts an empty variable as not set', () => {
    expect(resolveOptions({ workingFolder, environment: { FILEMGR_PORT: '' } }).sources.port).toBe('default')
  })
})
