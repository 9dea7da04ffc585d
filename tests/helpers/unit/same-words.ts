import type { Locale } from '../../../src/domain/page-contract.ts'
/** Reviewed: words that are the same in English and in another language, in lower case, sorted. */
const WORDS: Readonly<Partial<Record<Locale, string>>> = {
  ar: 'custom destination file files gb h30m kb log mb pem scope stderr stdout tb trigger username',
  ca: 'captcha documents editor error global mosaic port quota secret sessions terminal zoom',
  cs: 'bucket captcha histogram logo port program regex role server shell video',
  de: `
    administrator audio bucket cache captcha details editor global logo name optional player port regex server shell status
    system terminal uploads video zoom
  `,
  el: 'byte captcha custom destination file files gb h30m hash kb log mb pem scope stderr stdout tb trigger username',
  es: 'audio bucket captcha editor error global no regex terminal zoom',
  fr: `
    action actions archives audio bucket cache captcha code date documents image images indentation logo minutes notifications pixels port quota regex secret
    sessions shell terminal zoom
  `,
  he: 'custom destination file files gb h30m kb log mb pem scope stderr stdout tb trigger username',
  hu: 'captcha port program regex',
  is: 'captcha',
  it: 'account audio backup bucket cache captcha database editor file logo mouse no output password quota regex server shell video zoom',
  ja: 'captcha custom destination file files gb h30m kb log mb pem scope stderr stdout tb trigger username',
  ko: 'custom destination file files gb h30m kb log mb pem scope stderr stdout tb trigger username',
  'nl-be': `
    account accounts bucket byte bytes cache camera captcha code compact details filters histogram item items lens letters logo open
    pixels recent regex server shell status tabs terminal uploads video viewer zoom
  `,
  no: 'administrator captcha database filter histogram logo over port program regex status system terminal under video zoom',
  pl: 'administrator captcha folder histogram logo port program regex separator terminal',
  pt: 'bucket cache captcha editor quota shell terminal zoom',
  'pt-br': 'backup bucket cache editor mouse pixels status terminal zoom',
  ro: `
    active administrator audio bucket cache captcha clipboard editor export mouse player port program regex secret separator
    server shell terminal video zoom
  `,
  ru: 'custom destination files gb h30m kb log mb pem qr- scope stderr stdout tb username',
  sk: 'bucket captcha editor filter histogram logo port program server shell video',
  'sv-se': `
    bucket byte cache captcha filter given histogram port program regex server status system terminal under video zoom
  `,
  tr: 'captcha histogram logo program terminal video',
  uk: 'custom destination file files gb h30m kb log mb pem qr- scope stderr stdout tb trigger username',
  vi: 'bucket captcha shell',
  'zh-cn': 'custom destination file files gb h30m kb log mb pem scope shell stderr stdout tb trigger username',
  'zh-tw': 'custom destination file files gb h30m kb log mb pem scope shell stderr stdout tb trigger username',
}

export function isSameIn(locale: Locale, word: string): boolean {
  return WORDS[locale]?.split(/\s+/).includes(word.toLowerCase()) ?? false
}
