import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { OPERATIONS } from '../../../src/api/index.ts'
import { testApp } from '../../helpers/api/test-app.ts'

interface Document {
  readonly openapi: string
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> }
}

it('the OpenAPI document describes every operation once', async () => {
  await using server = await testApp()
  const document = (await server.ask('GET', '/api/openapi.json')).json<Document>()
  const described = Object.values(document.paths).flatMap((path) =>
    Object.values(path).map(({ operationId }) => operationId),
  )
  expect(document.openapi).toBe('3.1.0')
  expect(described.toSorted()).toEqual(OPERATIONS.map(({ id }) => id).toSorted())
})

it('the OpenAPI document names the schemas that several operations use', async () => {
  await using server = await testApp()
  const { body } = await server.ask('GET', '/api/openapi.json')
  const { components } = JSON.parse(body) as Document
  expect(Object.keys(components.schemas)).toEqual(expect.arrayContaining(['User', 'Resource', 'Listing', 'Settings']))
  expect(body).toContain('"$ref":"#/components/schemas/Resource"')
  expect(body).not.toMatch(/def-\d|x-filemgr|passwordHash/)
})

it('the OpenAPI document equals the reference in the repository', async () => {
  await using server = await testApp()
  const document = (await server.ask('GET', '/api/openapi.json')).json<Document>()
  const reference = new URL('../../../docs/reference/openapi.json', import.meta.url)
  expect(JSON.parse(await readFile(reference, 'utf8'))).toEqual(document)
})
