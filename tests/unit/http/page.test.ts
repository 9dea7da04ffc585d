import { expect, it } from 'vitest'
import type { ClientConfig } from '../../../src/domain/settings/client-config.ts'
import { escapedJson, fillPage } from '../../../src/http/page/fill-page.ts'

const template = `<!doctype html><meta property="csp-nonce" nonce="" /><title>filemgr</title>
<link href="/static/img/logo.svg" /><script type="application/json" id="filemgr-config">
      {}
    </script><script type="module" src="/static/main-12345678.js"></script>`

const config = { Name: '', StaticURL: '/fb/static', Theme: '', Color: '' } as ClientConfig

it('CVE-2026-34530: keeps markup in a branding name as text', () => {
  const name = '</script><script>alert(1)</script>&\u2028\u2029'
  const page = fillPage(template, { ...config, Name: name }, 'n')
  expect(page).not.toContain('<script>alert')
  expect(page).toContain('<title>&lt;/script&gt;&lt;script&gt;')
  const json = /id="filemgr-config">(.*?)<\/script>/s.exec(page)?.[1] ?? ''
  expect(json).not.toMatch(/[<>&\u2028\u2029]/)
  expect((JSON.parse(json) as ClientConfig).Name).toBe(name)
})

it('does not expand replacement patterns in a name', () => {
  expect(fillPage(template, { ...config, Name: "$'$&" }, 'n')).toContain("<title>$'$&amp;</title>")
})

it('puts the base URL before the paths of files, and fills in the nonce', () => {
  const page = fillPage(template, config, 'abc')
  expect(page).toContain('src="/fb/static/main-12345678.js"')
  expect(page).toContain('href="/fb/static/img/logo.svg"')
  expect(page).toContain('nonce="abc"')
})

it('has the theme and the colours of the branding from the start', () => {
  const plain = fillPage(`<html lang="en"><head></head></html>`, { ...config, Theme: '', Color: '', CSS: true }, 'abc')
  expect(plain).toContain('<html lang="en">')
  expect(plain).toContain('media="(prefers-color-scheme: dark)" content="#0f141b"')
  const brand = { ...config, Theme: 'dark', Color: '#c00', CSS: true }
  const page = fillPage(`<html lang="en"><head></head></html>`, brand, 'abc')
  expect(page).toContain('<html class="dark" lang="en">')
  expect(page).toContain('<style nonce="abc">:root{--brand-accent:light-dark(#cc0000, #')
  expect(page).toContain('<meta name="theme-color" content="#c00" />')
  expect(page.indexOf('custom.css')).toBeGreaterThan(page.indexOf('<style'))
})

it('escapes text so that JSON still reads the same value', () => {
  expect(JSON.parse(escapedJson({ a: '<&>' }))).toEqual({ a: '<&>' })
})
