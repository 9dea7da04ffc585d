import type { TempFolder } from './temp-folder.ts'

/** Writes the configuration of an nginx with these sites, which needs no folder but this one. @returns its arguments */
export async function nginxWith(folder: TempFolder, sites: string): Promise<string[]> {
  const own = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder.at(name)};`,
  )
  await folder.fill({
    'nginx.conf': `daemon off; error_log stderr; pid ${folder.at('pid')}; events {}\nhttp { access_log off; ${own.join(' ')}\n${sites}}`,
  })
  return ['-c', folder.at('nginx.conf')]
}
