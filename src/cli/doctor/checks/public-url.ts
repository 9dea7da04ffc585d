import { fault, skip, type Check, type Finding, type Scene } from '../check.ts'
import { ask } from '../ask.ts'

/** That the address which people use leads here, base URL included. */
export const publicUrlCheck: Check = {
  name: 'public-url',
  title: 'The address that people use',
  async run({ url, isPublic, options: { baseURL } }: Scene) {
    if (url === undefined) return skip('no daemon runs; with --url ADDRESS another machine is asked')
    if (!URL.canParse(url)) return [fault(`${url} is no address`, 'write it as https://files.example.org/')]
    const health = await ask(`${url}health`)
    if (typeof health === 'string') return [fault(`${url} does not answer: ${health}`, advise(isPublic))]
    if (health.status === 503) {
      const problem = `${url} cannot serve its folder: it is not there, or its disk does not answer`
      return [fault(problem, 'mount the disk, or bring the folder back')]
    }
    if (health.status !== 200 || !health.body.includes('"OK"')) {
      const path = new URL(url).pathname
      const base = `the base URL is "${baseURL}" here and "${path.replace(/\/$/, '')}" in the address`
      return [fault(`${url}health answers ${health.status}, which is not us`, `${base}: both must be the same`)]
    }
    return await pageFindings(url, baseURL)
  },
}

function advise(isPublic: boolean): string {
  return isPublic ? 'look at the proxy in front, at DNS and at the firewall' : 'look at its log: filemgr logs'
}

async function pageFindings(url: string, baseURL: string): Promise<Finding[]> {
  const page = await ask(url)
  const told = typeof page === 'string' ? undefined : /"BaseURL":"([^"]*)"/.exec(page.body)?.[1]
  const expected = new URL(url).pathname.replace(/\/$/, '')
  if (told === undefined || told === expected) return []
  const fix = `filemgr server set baseURL=${expected === '' ? '""' : expected}, or change the proxy`
  return [fault(`the page at ${url} looks for its parts below "${told}" (base URL "${baseURL}")`, fix)]
}
