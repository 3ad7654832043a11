// Written by "npm run generate" from openapi.yaml; do not edit.

export type Page = {
  data: Page_item[];
  next?: Page_cursor;
};
export type Pet = {
  name: string;
  owner?: Person;
};
export type Person = {
  name: Person_name;
  friends?: Person[];
};
export type PetPage = Page_of_PetPage;
export type NamedPet = {
  name: string;
  /** @constant */
  kind?: "pet";
};
export type Pair = [string?];
export type tree = tree_2_of_tree;
export type tree_2 = {
  value?: number;
  children?: tree_2[];
};
export type Page_2 = {
  data: application_json_schema_item[];
  next?: Page_cursor;
};
export type Page_of_PetPage = {
  data: PetPage_item[];
  next?: Page_cursor;
};
export type tree_2_of_tree = {
  value?: number;
  children?: tree[];
};
export type Page_item = unknown;
export type Page_cursor = string;
export type Person_name = string;
export type application_json_schema_item = Person;
export type PetPage_item = NamedPet;
export interface paths {
  "/pets": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["listPets"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/owners": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations["listOwners"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/tree": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put: operations["putTree"];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    Page: Page;
    Pet: Pet;
    Person: Person;
    PetPage: PetPage;
    NamedPet: NamedPet;
    Pair: Pair;
    tree: tree;
    tree_2: tree_2;
    Page_2: Page_2;
    Page_of_PetPage: Page_of_PetPage;
    tree_2_of_tree: tree_2_of_tree;
    Page_item: Page_item;
    Page_cursor: Page_cursor;
    Person_name: Person_name;
    application_json_schema_item: application_json_schema_item;
    PetPage_item: PetPage_item;
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  listPets: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of pets */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": PetPage;
        };
      };
    };
  };
  listOwners: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of owners */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": Page_2;
        };
      };
    };
  };
  putTree: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": tree;
      };
    };
    responses: {
      /** @description Taken */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
}
