import type { Locale } from '../../src/domain/locales.ts'

/** Reviewed: words that are the same in English and in another language, in small letters. */
export const SAME_IN: Readonly<Partial<Record<Locale, readonly string[]>>> = {
  ca: ['editor', 'error', 'global', 'mosaic', 'terminal', 'zoom'],
  de: ['audio', 'details', 'editor', 'name', 'player', 'status', 'terminal', 'uploads', 'video', 'zoom'],
  es: ['audio', 'editor', 'error', 'no', 'terminal', 'zoom'],
  fr: ['actions', 'audio', 'images', 'indentation', 'notifications', 'pixels', 'terminal', 'zoom'],
  hu: ['captcha', 'port', 'program'],
  it: ['audio', 'editor', 'file', 'mouse', 'no', 'output', 'password', 'video', 'zoom'],
  no: [
    'administrator',
    'captcha',
    'filter',
    'histogram',
    'logo',
    'over',
    'port',
    'program',
    'status',
    'system',
    'terminal',
    'under',
    'video',
    'zoom',
  ],
  pl: ['folder', 'histogram', 'separator', 'terminal'],
  pt: ['editor', 'terminal', 'zoom'],
  'pt-br': ['editor', 'mouse', 'pixels', 'status', 'terminal', 'zoom'],
}
