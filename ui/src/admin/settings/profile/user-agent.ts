/** Program and system named by a User-Agent header. Product names are not translated. */
export interface UserAgentFacts {
  readonly program: string | undefined
  readonly system: string | undefined
  /** A phone or tablet. */
  readonly mobile: boolean
}

type Table = readonly (readonly [pattern: RegExp, name: string])[]

/** First match wins: most browsers also name those they descend from. */
const PROGRAMS: Table = [
  [/\bEdgA?\/|\bEdgiOS\//, 'Edge'],
  [/\bOPR\/|\bOPT\/|\bOPX\//, 'Opera'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bYaBrowser\//, 'Yandex Browser'],
  [/\bDuckDuckGo\/|\bDdg\//, 'DuckDuckGo'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bChromium\//, 'Chromium'],
  [/\bChrome\/|\bCriOS\/|\bHeadlessChrome\//, 'Chrome'],
  [/\bVersion\/\S+.*\bSafari\//, 'Safari'],
]

const SYSTEMS: Table = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMacintosh\b|\bMac OS X\b/, 'macOS'],
  [/\bFreeBSD\b/, 'FreeBSD'],
  [/\bLinux\b|\bX11\b/, 'Linux'],
]

export function readUserAgent(userAgent: string): UserAgentFacts {
  const nameIn = (table: Table): string | undefined => table.find(([pattern]) => pattern.test(userAgent))?.[1]
  // Other programs start with their own name, such as "curl/8.5.0".
  const product = /^(?!Mozilla\b)([\w.-]+)(?:\/|$)/.exec(userAgent)?.[1]
  return {
    program: nameIn(PROGRAMS) ?? product,
    system: nameIn(SYSTEMS),
    mobile: /\bMobi|\biPad\b|\bAndroid\b/.test(userAgent),
  }
}
