// Written by "npm run generate" from openapi.yaml; do not edit.

export type Pet = {
  readonly id: number;
};
export type PetRequest = {
  readonly id?: number;
};
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
    post: operations["createPet"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/pets/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: number;
      };
      cookie?: never;
    };
    get: operations["getPet"];
    put?: never;
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
    Pet: Pet;
    PetRequest: PetRequest;
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: {
    Pets: {
      parameters: {
        query?: never;
        header?: never;
        path?: never;
        cookie?: never;
      };
      get: {
        parameters: {
          query?: never;
          header?: never;
          path?: never;
          cookie?: never;
        };
        requestBody?: never;
        responses: {
          /** @description Fine. */
          200: {
            headers: {
              [name: string]: unknown;
            };
            content: {
              "application/json": Pet[];
            };
          };
        };
      };
      put?: never;
      post: {
        parameters: {
          query?: never;
          header?: never;
          path?: never;
          cookie?: never;
        };
        requestBody: {
          content: {
            "application/json": PetRequest;
          };
        };
        responses: {
          /** @description Fine. */
          204: {
            headers: {
              [name: string]: unknown;
            };
            content?: never;
          };
        };
      };
      delete?: never;
      options?: never;
      head?: never;
      patch?: never;
      trace?: never;
    };
    "x-alias": {
      parameters: {
        query?: never;
        header?: never;
        path: {
          id: number;
        };
        cookie?: never;
      };
      get: {
        parameters: {
          query?: never;
          header?: never;
          path: {
            id: number;
          };
          cookie?: never;
        };
        requestBody?: never;
        responses: {
          /** @description Fine. */
          200: {
            headers: {
              [name: string]: unknown;
            };
            content: {
              "application/json": Pet[];
            };
          };
        };
      };
      put?: never;
      post?: never;
      delete?: never;
      options?: never;
      head?: never;
      patch?: never;
      trace?: never;
    };
    "x-pet": {
      parameters: {
        query?: never;
        header?: never;
        path: {
          id: number;
        };
        cookie?: never;
      };
      get: {
        parameters: {
          query?: never;
          header?: never;
          path: {
            id: number;
          };
          cookie?: never;
        };
        requestBody?: never;
        responses: {
          /** @description Fine. */
          200: {
            headers: {
              [name: string]: unknown;
            };
            content: {
              "application/json": Pet[];
            };
          };
        };
      };
      put?: never;
      post?: never;
      delete?: never;
      options?: never;
      head?: never;
      patch?: never;
      trace?: never;
    };
  };
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
      /** @description Fine. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": Pet[];
        };
      };
    };
  };
  createPet: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": PetRequest;
      };
    };
    responses: {
      /** @description Fine. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  getPet: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Fine. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": Pet[];
        };
      };
    };
  };
}
