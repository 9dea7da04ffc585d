import type { TempFolder } from './temp-folder.ts'

const MODULES = '/usr/lib/apache2/modules'
/** What Debian loads for a new installation and our instructions, except what a site like ours does not need. */
const LOADED = ['mpm_event', 'authz_core', 'env', 'reqtimeout', 'proxy', 'proxy_http', 'headers']

/** Writes the configuration of an Apache with this site, which needs no folder but this one. @returns its arguments */
export async function apacheWith(folder: TempFolder, port: number, site: string): Promise<string[]> {
  const account = process.getuid?.() === 0 ? ['User www-data', 'Group www-data'] : []
  const lines = [
    ...LOADED.map((name) => `LoadModule ${name}_module ${MODULES}/mod_${name}.so`),
    ...account,
    `ServerRoot ${folder.path}`,
    `DefaultRuntimeDir ${folder.path}`,
    `PidFile ${folder.at('pid')}`,
    `ErrorLog ${folder.at('error.log')}`,
    'ServerName localhost',
    `Listen 127.0.0.1:${port}`,
    site,
  ]
  await folder.fill({ 'apache.conf': lines.join('\n') })
  return ['-f', folder.at('apache.conf'), '-D', 'FOREGROUND']
}
