/** A browser without a screen: follows redirects and fills in the form of the test provider. Keeps cookies of each host. */
export class ProviderBrowser {
  readonly #cookies = new Map<string, string>()

  /**
   * Signs in at the provider, or out where it asks.
   *
   * @param name whom to be; undefined to say no
   * @param until beneath this address, redirects are not followed
   * @returns the address to which the provider sends the browser
   */
  async signIn(start: string, name: string | undefined, until: string): Promise<string> {
    let next: { url: string; form?: URLSearchParams } = { url: start }
    for (let step = 0; step < 12; step += 1) {
      if (next.url.startsWith(until)) return next.url
      const { url, form } = next
      const response = await fetch(url, {
        redirect: 'manual',
        headers: { cookie: this.#sent() },
        ...(form !== undefined && { method: 'POST', body: form }),
      })
      this.#keep(response)
      const location = response.headers.get('location')
      const text = await response.text()
      if (location !== null) next = { url: new URL(location, url).href }
      else if (text.includes('name="name"'))
        next = { url, form: new URLSearchParams(name === undefined ? { deny: '1' } : { name }) }
      else if (text.includes('id="op.logoutForm"'))
        next = {
          url: valueIn(text, 'action'),
          form: new URLSearchParams({ xsrf: valueIn(text, 'name="xsrf" value'), logout: 'yes' }),
        }
      else throw new Error(`the provider answered ${response.status}: ${text.slice(0, 500)}`)
    }
    throw new Error('the provider redirects without end')
  }

  #sent(): string {
    return [...this.#cookies].map(([key, value]) => `${key}=${value}`).join('; ')
  }

  #keep(response: Response): void {
    for (const cookie of response.headers.getSetCookie()) {
      const [key = '', value = ''] = (cookie.split(';')[0] ?? '').split(/=(.*)/s)
      if (value === '') this.#cookies.delete(key)
      else this.#cookies.set(key, value)
    }
  }
}

function valueIn(page: string, attribute: string): string {
  const after = page.split(`${attribute}="`)[1] ?? ''
  return after.slice(0, after.indexOf('"'))
}
