// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// Tokens whose transfers move something else than they say. Anybody may mint. The balances stand in
/// the first word of the storage, as in the other tokens here: a test may put one in place of another.
abstract contract LyingToken {
    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    mapping(address account => uint256) public balanceOf;
    mapping(address owner => mapping(address spender => uint256)) public allowance;
    uint256 public totalSupply;

    function decimals() external pure returns (uint8) {
        return 6;
    }

    function mint(address to, uint256 value) external {
        totalSupply += value;
        balanceOf[to] += value;
        emit Transfer(address(0), to, value);
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    function transfer(address to, uint256 value) external returns (bool) {
        _transfer(msg.sender, to, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        allowance[from][msg.sender] -= value;
        _transfer(from, to, value);
        return true;
    }

    function _transfer(address from, address to, uint256 value) internal virtual;

    function _move(address from, address to, uint256 value) internal {
        balanceOf[from] -= value;
        balanceOf[to] += value;
    }
}

/// Says that all of it was moved, and keeps 1 %.
contract ShortToken is LyingToken {
    function _transfer(address from, address to, uint256 value) internal override {
        _move(from, to, value);
        balanceOf[to] -= value / 100;
        emit Transfer(from, to, value);
    }
}

/// Says that all of it was moved, and keeps a fifth.
contract GreedyToken is LyingToken {
    function _transfer(address from, address to, uint256 value) internal override {
        _move(from, to, value);
        balanceOf[to] -= value / 5;
        emit Transfer(from, to, value);
    }
}

/// Says that all of it was moved, and then that the recipient has paid 1 %.
contract BackFeeToken is LyingToken {
    function _transfer(address from, address to, uint256 value) internal override {
        _move(from, to, value);
        emit Transfer(from, to, value);
        _move(to, address(0xFEE), value / 100);
        emit Transfer(to, address(0xFEE), value / 100);
    }
}

/// The recipient gets all of it, and the sender pays 1 % more, of which nothing is said.
contract TopToken is LyingToken {
    function _transfer(address from, address to, uint256 value) internal override {
        _move(from, to, value);
        _move(from, address(0xFEE), value / 100);
        emit Transfer(from, to, value);
    }
}

/// Says that all of it was moved, and moves nothing.
contract EmptyToken is LyingToken {
    function _transfer(address from, address to, uint256 value) internal override {
        emit Transfer(from, to, value);
    }
}

/// Says that all of it was moved, and moves half of it.
contract HalfToken is LyingToken {
    function _transfer(address from, address to, uint256 value) internal override {
        _move(from, to, value / 2);
        emit Transfer(from, to, value);
    }
}

interface Hearing {
    function heard(address from) external;
}

/// Moves what it says, and calls a recipient that is a contract.
contract HookToken is LyingToken {
    function _transfer(address from, address to, uint256 value) internal override {
        _move(from, to, value);
        emit Transfer(from, to, value);
        if (to.code.length > 0) Hearing(to).heard(from);
    }
}

/// Sends one unit of what it gets back, in the same transaction.
contract Returner is Hearing {
    function heard(address from) external {
        LyingToken(msg.sender).transfer(from, 1);
    }
}

/// Another token's code, of which each transfer that somebody has signed brings 1 % less than it says.
/// Its balances stand in the first word of the storage too.
contract TaxedProxy {
    mapping(address account => uint256) private _balances;
    address private immutable CODE;
    // one of so many
    uint256 private immutable PART;

    bytes4 private constant SIGNED_PARTS =
        bytes4(
            keccak256(
                "transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32)"
            )
        );
    bytes4 private constant SIGNED_BYTES =
        bytes4(
            keccak256(
                "transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,bytes)"
            )
        );

    constructor(address code, uint256 part) {
        CODE = code;
        PART = part;
    }

    fallback(bytes calldata input) external returns (bytes memory) {
        (bool isDone, bytes memory output) = CODE.delegatecall(input);
        if (!isDone) {
            assembly {
                revert(add(output, 32), mload(output))
            }
        }
        if (msg.sig == SIGNED_PARTS || msg.sig == SIGNED_BYTES) {
            (, address to, uint256 value) = abi.decode(input[4:], (address, address, uint256));
            _balances[to] -= value / PART;
        }
        return output;
    }
}
