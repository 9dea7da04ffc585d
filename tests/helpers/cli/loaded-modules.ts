import { appendFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

/** Loaded by `node --import`: appends the URL of every loaded module to the file LOADED_MODULES. */
registerHooks({
  load(url, context, nextLoad) {
    appendFileSync(process.env['LOADED_MODULES'] ?? '', `${url}\n`)
    return nextLoad(url, context)
  },
})
